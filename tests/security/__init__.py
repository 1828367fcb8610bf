"""What strangers may try: the network, uploads, sizes, and what the server lets them do."""

"""What runs outside the server's own thread: a queue of processes, priorities, turns."""

"""Home: one vector shrunk by three norms."""

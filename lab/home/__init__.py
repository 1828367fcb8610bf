"""Home: one vector shrunk by two norms."""

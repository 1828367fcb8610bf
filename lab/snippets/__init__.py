"""The Python code that reproduces a view, one module per page. Each returns a whole script."""

"""The figures of the page, one module per subject."""

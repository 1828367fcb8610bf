"""The parts of the page that classifies a table: one module per tab."""

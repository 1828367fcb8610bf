"""How evenly random groups share out the true features: the exact law behind `grouping`."""

"""Second-order methods: interior points, active sets and working sets for the smooth losses."""

"""First-order methods: the paper's FISTA loop on each of its formulations."""

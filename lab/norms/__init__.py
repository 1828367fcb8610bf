"""Norm patterns: what four norms keep of one regression."""

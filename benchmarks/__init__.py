"""Runnable comparisons; each writes a small JSON file to `benchmarks/results` for the app."""

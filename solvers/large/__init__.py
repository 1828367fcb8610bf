"""Data beyond one machine's memory: X as a Dask array, gone through in passes.

Everything here but `passes` and `reading` works without Dask, and those two import it where it is
used: whoever hands over a Dask array has it.
"""

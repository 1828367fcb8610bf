"""The data of experiments: generators, real sets, OpenML, and the paper's own numbers."""

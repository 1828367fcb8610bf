"""Home: one vector shrunk by three norms, to see what exclusive sparsity keeps."""

from lab.loading import one_at_a_time

with one_at_a_time:
    from lab.home.view import show

show()

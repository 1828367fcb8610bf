"""Random grouping: how likely random groups share the true features fairly."""

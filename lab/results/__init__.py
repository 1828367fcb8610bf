"""The one store of results, found by their spec's identity, wherever they were made.

Results that come with the source and those of visitors have one format, and each says when, by
which versions and on which processor it was made.
"""

from lab.results.identity import Named, Spec, Trial
from lab.results.places import (
    OWN_FOLDER_VARIABLE,
    SHIPPED_FOLDER_VARIABLE,
    own_folder,
    shipped_folder,
)
from lab.results.provenance import for_files, made_here
from lab.results.store import Store, complete, latest, shipped, when_made, where_made

__all__ = [
    "OWN_FOLDER_VARIABLE",
    "SHIPPED_FOLDER_VARIABLE",
    "Named",
    "Spec",
    "Store",
    "Trial",
    "complete",
    "for_files",
    "latest",
    "made_here",
    "own_folder",
    "shipped",
    "shipped_folder",
    "when_made",
    "where_made",
]

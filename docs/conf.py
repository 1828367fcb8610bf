"""How Sphinx makes the guide and the reference: `make docs`. Nothing comes from the network."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import solvers

project = "Exclusive sparsity"
author = "The exclusive sparsity authors"
copyright = "2026, the exclusive sparsity authors"
version = release = solvers.__version__

extensions = ["sphinx.ext.autodoc", "numpydoc", "myst_parser"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"{project} {version}"
html_show_sphinx = False
html_copy_source = False

# In `backticks`: a link where it is a name of ours, and code where it is not.
default_role = "py:obj"
nitpicky = True
nitpick_ignore_regex = [("py:obj", r".*")]

autodoc_default_options = {"members": True, "member-order": "bysource"}
# Types are in the descriptions, in words.
autodoc_typehints = "none"
add_module_names = False
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

myst_heading_anchors = 3


def escape_bars(app, what, name, obj, options, lines):
    """Magnitudes like |w| are no substitutions of reStructuredText."""
    for i, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")):
            lines[i] = line.replace("|", r"\|")


def skip_requests(app, what, name, obj, skip, options):
    """scikit-learn adds `set_fit_request` and the like, and documents them in its own guide."""
    return True if name.startswith("set_") and name.endswith("_request") else None


def setup(app):
    app.connect("autodoc-process-docstring", escape_bars, priority=100)
    app.connect("autodoc-skip-member", skip_requests)

"""The page in Streamlit: `page.show` draws it, one module per part."""

from lab.cones.view.page import show

__all__ = ["show"]

"""The page in Streamlit: `page.show` draws it, one module per part."""

from lab.accuracy.view.page import show

__all__ = ["show"]

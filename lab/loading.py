"""Import libraries one thread at a time.

Streamlit runs every visitor's page in a thread of its own. When two of them import parts of one
package at once, Python breaks the deadlock by handing one of them a half-loaded module, and the
first visitors of a cold server see an ImportError. So pages, and functions that load something
heavy when they are first called, import under this one lock:

    with one_at_a_time:
        from lab.norms.view import show

Never take it while a module of ours is itself being imported: that would be a second lock order.
"""

from __future__ import annotations

import threading

one_at_a_time = threading.RLock()

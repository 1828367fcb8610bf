"""Loaded by every Python process of a watched server: notes files opened for writing.

One line per file goes to the file that WATCHED_EVENTS names.
"""

import os
import sys

_events = os.open(os.environ["WATCHED_EVENTS"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
_WRITING = os.O_WRONLY | os.O_RDWR


def _note(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        writes = any(letter in mode for letter in "wax+") if mode else bool((flags or 0) & _WRITING)
        if writes and not isinstance(path, int):
            os.write(_events, f"{os.fsdecode(path)}\n".encode(errors="replace"))


sys.addaudithook(_note)

"""The races of a server that are on, by ticket: a reload or a link finds the one it left."""

from __future__ import annotations

import threading

from lab.races.race import Race

# Each holds its data until it ends, and who closed the tab may never come back.
MOST_KNOWN = 8


class Known:
    """At most so many races, the oldest dropped; any thread may ask."""

    def __init__(self, most: int = MOST_KNOWN):
        self._most = most
        self._lock = threading.Lock()
        self._races: dict[str, Race] = {}

    def add(self, race: Race) -> None:
        with self._lock:
            self._races[race.ticket] = race
            for ticket in list(self._races)[: -self._most]:
                del self._races[ticket]

    def get(self, ticket: str) -> Race | None:
        return self._races.get(ticket)

    def drop(self, ticket: str) -> None:
        """Forget one that was written, and is found where it was."""
        with self._lock:
            self._races.pop(ticket, None)

"""A visitor without a browser: Streamlit's own messages by websocket, uploads over HTTP."""

from __future__ import annotations

import asyncio
import json
import re
import time
import urllib.request
from dataclasses import dataclass, field, replace

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.Exception_pb2 import Exception as ExceptionShown
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import Config
from streamlit.proto.WidgetStates_pb2 import WidgetState

WAIT_SECONDS = 600.0
OPEN_SECONDS = 15.0  # as long as Streamlit's own browser side waits for the websocket
TICK_SECONDS = 0.5  # how often a page that asks to be refreshed is


class VisitError(RuntimeError):
    """The app answered with an exception, or not at all."""


@dataclass(frozen=True)
class Shown:
    """An element on the page: its content, the fragment it belongs to, the run that drew it."""

    element: Element
    fragment: str
    run: int

    @property
    def kind(self) -> str:
        return self.element.WhichOneof("type")

    @property
    def content(self):
        return getattr(self.element, self.kind)


@dataclass
class Visitor:
    """One session of the app: opens a page, moves its controls, reads what it then shows."""

    address: str
    page: str
    query: str = ""
    cookie: str = ""
    received_bytes: int = 0
    settings: Config | None = None
    exception: ExceptionShown | None = None
    tabs: list[str] = field(default_factory=list)  # of the page, by their labels
    _elements: dict[tuple[int, ...], Shown] = field(default_factory=dict)
    _states: dict[str, WidgetState] = field(default_factory=dict)
    _refreshed: dict[str, float] = field(default_factory=dict)
    _kept: dict[str, Shown] = field(default_factory=dict)  # large ones, sent once, by hash
    _page_hash: str = ""
    _tabs: str = ""
    _run: int = 0

    async def __aenter__(self) -> Visitor:
        url = self.address.replace("http", "ws", 1) + "/_stcore/stream"
        self._socket = await websockets.connect(
            url,
            subprotocols=["streamlit"],
            origin=self.address,
            max_size=None,
            open_timeout=OPEN_SECONDS,
            additional_headers={"Cookie": self.cookie} if self.cookie else {},
        )
        return self

    async def __aexit__(self, *error) -> None:
        await self._socket.close()

    # -- what a visitor sees ---------------------------------------------------------------

    @property
    def text(self) -> str:
        """The words on the page, roughly in the order in which they stand."""
        words = []
        for _, shown in sorted(self._elements.items()):
            for name in ("title", "body", "text", "label"):
                words.append(getattr(shown.content, name, "") or "")
        return "\n".join(str(word) for word in words if word)

    def of_kind(self, kind: str) -> list[Shown]:
        return [shown for _, shown in sorted(self._elements.items()) if shown.kind == kind]

    def labelled(self, kind: str, label: str) -> Shown:
        for shown in self.of_kind(kind):
            if re.search(label, shown.content.label):
                return shown
        raise VisitError(f"there is no {kind} {label!r} on the page:\n{self.text[:2000]}")

    # -- what a visitor does; each returns the seconds until the page has answered ---------

    async def open(self) -> float:
        return await self._ask()

    async def move(self, step: int) -> float:
        """Move the first slider, or that of the first live figure where there is one."""
        if self.of_kind("bidi_component"):
            return await self._move_live(step)
        shown = self.of_kind("slider")[0]
        slider, state = shown.content, WidgetState(id=shown.content.id)
        if slider.options:
            state.string_array_value.data.append(slider.options[step % len(slider.options)])
        else:
            steps = round((slider.max - slider.min) / slider.step)
            state.double_array_value.data.append(slider.min + slider.step * (step % (steps + 1)))
        self._states[slider.id] = state
        return await self._ask(fragment=shown.fragment)

    async def _move_live(self, step: int) -> float:
        """Tell what a live figure tells when its slider is released."""
        shown = self.of_kind("bidi_component")[0]
        told = json.loads(shown.content.mixed.json or shown.content.json)
        figure = json.loads(told["figure"])
        texts = figure["steps"] or [_place(figure["point"], k / 50) for k in range(51)]
        state = WidgetState(id=shown.content.id)
        state.json_value = json.dumps({"at": texts[step % len(texts)]})
        self._states[state.id] = state
        return await self._ask(fragment=shown.fragment)

    async def press(self, label: str) -> float:
        shown = self.labelled("button", label)
        if shown.content.disabled:
            raise VisitError(f"the button {label!r} is disabled")
        trigger = WidgetState(id=shown.content.id, trigger_value=True)
        return await self._ask(fragment=shown.fragment, trigger=trigger)

    async def open_tab(self, label: str) -> float:
        """Open a tab of the page's own."""
        if not self._tabs:
            raise VisitError("the page has no tabs")
        self._states[self._tabs] = WidgetState(id=self._tabs, string_value=label)
        return await self._ask()

    async def upload(self, name: str, data: bytes, *, xsrf: bool = True) -> float:
        """Put a file to the first uploader, as a browser does: addresses, PUT, then a rerun."""
        started = time.perf_counter()
        uploader = self.of_kind("file_uploader")[0].content
        urls = await self.file_urls(name)
        await asyncio.to_thread(self._put, urls.upload_url, name, data, xsrf)
        state = WidgetState(id=uploader.id)
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.name, info.size, info.file_id = name, len(data), urls.file_id
        info.file_urls.CopyFrom(urls)
        self._states[uploader.id] = state
        await self._ask()
        return time.perf_counter() - started

    async def file_urls(self, name: str):
        """Where the server wants a file of this name to be put."""
        message = BackMsg()
        message.file_urls_request.request_id = f"request-{self._run}"
        message.file_urls_request.file_names.append(name)
        await self._socket.send(message.SerializeToString())
        answer = await asyncio.wait_for(self._until("file_urls_response"), WAIT_SECONDS)
        return answer.file_urls_response.file_urls[0]

    async def watch(self, until: str, seconds: float = WAIT_SECONDS) -> str:
        """Let a page that refreshes itself do so until its words match; these words."""
        end = time.perf_counter() + seconds
        while (found := re.search(until, self.text)) is None:
            if time.perf_counter() > end:
                raise VisitError(f"{until!r} did not appear:\n{self.text[:2000]}")
            await self.tick()
        return found[0]

    async def tick(self) -> None:
        """Wait as long as the page asks for, then refresh the parts that ask for it."""
        if not self._refreshed:
            raise VisitError(f"the page no longer refreshes itself:\n{self.text[:2000]}")
        await asyncio.sleep(min(TICK_SECONDS, *self._refreshed.values(), TICK_SECONDS))
        for fragment in list(self._refreshed):
            if fragment in self._refreshed:
                await self._ask(fragment=fragment, refresh=True)

    # -- messages --------------------------------------------------------------------------

    async def _ask(self, fragment="", trigger: WidgetState | None = None, refresh=False) -> float:
        """Ask for a run of the script, or of one of its fragments, and wait for its end."""
        message = BackMsg()
        request = message.rerun_script
        if self._page_hash:
            request.page_script_hash = self._page_hash
        else:
            request.page_name = self.page
        request.query_string = self.query
        request.context_info.timezone = "UTC"
        request.fragment_id = fragment
        request.is_auto_rerun = refresh
        request.cached_message_hashes.extend(self._kept)
        states = [*self._states.values(), *([trigger] if trigger else [])]
        request.widget_states.widgets.extend(states)
        if not fragment:
            self._refreshed.clear()
            self.tabs = []
        started = time.perf_counter()
        self._run += 1
        await self._socket.send(message.SerializeToString())
        await asyncio.wait_for(self._until_finished(fragment), WAIT_SECONDS)
        return time.perf_counter() - started

    async def _until_finished(self, fragment: str) -> None:
        while True:
            message = await self._until("script_finished")
            # A run that a newer request overtook ends early; its answer is still to come.
            if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                break
            fragment = ""  # the page asked for a run of the whole script
            self._refreshed.clear()
        self._elements = {
            path: shown
            for path, shown in self._elements.items()
            if shown.run == self._run or (fragment and shown.fragment != fragment)
        }

    async def _until(self, kind: str) -> ForwardMsg:
        while True:
            data = await self._socket.recv()
            self.received_bytes += len(data)
            message = ForwardMsg.FromString(data)
            self._see(message)
            if message.WhichOneof("type") == kind:
                return message

    def _see(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            if element.WhichOneof("type") == "exception":
                self.exception = element.exception
                raise VisitError(f"{element.exception.type}: {element.exception.message}")
            path = tuple(message.metadata.delta_path)
            shown = Shown(element, message.delta.fragment_id, self._run)
            self._elements[path] = shown
            if message.metadata.cacheable:
                self._kept[message.hash] = shown
        elif kind == "ref_hash":
            path = tuple(message.metadata.delta_path)
            self._elements[path] = replace(self._kept[message.ref_hash], run=self._run)
        elif kind == "delta" and message.delta.add_block.tab_container.id:
            self._tabs = message.delta.add_block.tab_container.id
        elif kind == "delta" and message.delta.add_block.WhichOneof("type") == "tab":
            self.tabs.append(message.delta.add_block.tab.label)
        elif kind == "new_session":
            self.settings = message.new_session.config
        elif kind == "navigation":
            self._page_hash = message.navigation.page_script_hash
        elif kind == "stop_auto_rerun":
            for fragment in message.stop_auto_rerun.fragment_ids:
                self._refreshed.pop(fragment, None)
        elif kind == "auto_rerun":
            self._refreshed[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "session_event" and message.session_event.HasField(
            "script_compilation_exception"
        ):
            raise VisitError("the page does not compile")

    def _put(self, path: str, name: str, data: bytes, xsrf: bool) -> None:
        """Upload as a browser does, with the token of the cookie that the server set."""
        with urllib.request.urlopen(f"{self.address}/_stcore/health") as response:
            cookie = response.headers["Set-Cookie"].split(";")[0]
        token = cookie.split("=", 1)[1].strip('"')
        mark = "visitor-boundary"
        head = (
            f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        )
        request = urllib.request.Request(
            f"{self.address}{path}",
            data=head.encode() + data + f"\r\n--{mark}--\r\n".encode(),
            method="PUT",
            headers={"Content-Type": f"multipart/form-data; boundary={mark}"},
        )
        if xsrf:
            request.add_header("Cookie", cookie)
            request.add_header("X-Xsrftoken", token)
        with urllib.request.urlopen(request):
            pass


def _place(axes: list[dict], share: float) -> str:
    """A point at a share of the way along each of its axes, as the address has it."""
    places = (axis["min"] + share * (axis["max"] - axis["min"]) for axis in axes)
    return ",".join(f"{place:.6g}" for place in places)

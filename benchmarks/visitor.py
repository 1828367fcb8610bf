"""A visitor without a browser: Streamlit's own messages over a real websocket."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider

WAIT_SECONDS = 60.0


class VisitError(RuntimeError):
    """The app answered with an exception, or not at all."""


@dataclass
class Visitor:
    """One session of the app: opens a page, moves its first slider, waits for the answer."""

    address: str
    page: str
    sliders: dict[str, tuple[Slider, str]] = field(default_factory=dict)
    received_bytes: int = 0

    async def __aenter__(self) -> Visitor:
        url = self.address.replace("http", "ws", 1) + "/_stcore/stream"
        self._socket = await websockets.connect(
            url, subprotocols=["streamlit"], origin=self.address, max_size=None
        )
        return self

    async def __aexit__(self, *error) -> None:
        await self._socket.close()

    async def open(self) -> float:
        """Seconds until the page's script has finished for the first time."""
        return await self._run(BackMsg())

    async def move(self, step: int) -> float:
        """Seconds from moving the first slider to the end of the run that answers."""
        slider, fragment = next(iter(self.sliders.values()))
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add()
        state.id = slider.id
        if slider.options:
            state.string_array_value.data.append(slider.options[step % len(slider.options)])
        else:
            steps = round((slider.max - slider.min) / slider.step)
            state.double_array_value.data.append(slider.min + slider.step * (step % (steps + 1)))
        message.rerun_script.fragment_id = fragment
        return await self._run(message)

    async def _run(self, message: BackMsg) -> float:
        message.rerun_script.page_name = self.page
        message.rerun_script.context_info.timezone = "UTC"
        started = time.perf_counter()
        await self._socket.send(message.SerializeToString())
        await asyncio.wait_for(self._until_finished(), WAIT_SECONDS)
        return time.perf_counter() - started

    async def _until_finished(self) -> None:
        while True:
            data = await self._socket.recv()
            self.received_bytes += len(data)
            message = ForwardMsg.FromString(data)
            kind = message.WhichOneof("type")
            if kind == "delta":
                self._see(message)
            elif kind == "script_finished":
                # A run that a newer request overtook ends early; its answer is still to come.
                if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    return
            elif kind == "session_event" and message.session_event.HasField(
                "script_compilation_exception"
            ):
                raise VisitError("the page does not compile")

    def _see(self, message: ForwardMsg) -> None:
        delta = message.delta
        if delta.WhichOneof("type") != "new_element":
            return
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise VisitError(f"{element.exception.type}: {element.exception.message}")
        if kind == "slider":
            self.sliders[element.slider.id] = (element.slider, delta.fragment_id)

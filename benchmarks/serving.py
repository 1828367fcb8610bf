"""Two processes of the app behind nginx, as deploy/ has them: many visitors, one process killed.

    python -m benchmarks.serving [--visitors 200] [--minutes 3] [--pause 2] [--dry]

Everything is on loopback, under deploy/nginx.conf with the addresses of this machine put in. First
a sweep is run by one process and looked for in the other. Then all visitors come through the proxy
with a browser's cookie, and moves the slider of a page every `pause` seconds. At two thirds of the
time one process is killed, and comes back ten seconds later, as the compose file asks for. Its
visitors come again, as a browser does, and some are taken by the other process; the others must not
notice, neither in the seconds in which those come nor later. Needs nginx (Debian: apt-get install
nginx-light); run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import websockets

from benchmarks import common, load
from benchmarks.visitor import Visitor
from lab.results import OWN_FOLDER_VARIABLE
from tests.browser.app_server import ROOT, App, free_port, running_app

CONFIGURATION = ROOT / "deploy" / "nginx.conf"
NAMES = ("app-1", "app-2")
KILLED, SPARED = NAMES
KILL_AT = 2 / 3  # of the time
DOWN_SECONDS = 10.0
COMING_BACK_SECONDS = 30.0
SWEEP = "acc_features=60&acc_ms=4%2C+6&acc_repeats=2&acc_seed=4321"


def configuration(folder: Path, port: int, ports: dict[str, int]) -> str:
    """The committed configuration for this machine: its ports, and files in a folder of ours."""
    text = CONFIGURATION.read_text(encoding="utf-8")
    wanted = {"listen 8080;": f"listen 127.0.0.1:{port};"}
    wanted |= {f"{name}:8501": f"127.0.0.1:{ports[name]}" for name in NAMES}
    own = "".join(
        f"    {what}_temp_path {folder}/{what};\n"
        for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    wanted["http {\n"] = f"http {{\n    access_log off;\n{own}"
    for there, here in wanted.items():
        if there not in text:
            raise ValueError(f"deploy/nginx.conf no longer says {there!r}.")
        text = text.replace(there, here)
    return text


def find_nginx() -> str:
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None:
        raise SystemExit("nginx is not installed; on Debian: apt-get install nginx-light")
    return found


@contextlib.contextmanager
def proxy(folder: Path, ports: dict[str, int]) -> Iterator[str]:
    """nginx in front of the processes, on a loopback port of its own; its address."""
    port, path = free_port(), folder / "nginx.conf"
    path.write_text(configuration(folder, port, ports), encoding="utf-8")
    options = f"daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;"
    command = [find_nginx(), "-p", str(folder), "-c", str(path), "-g", options]
    log = folder / "nginx.err"
    with log.open("w") as errors:
        process = subprocess.Popen(command, stderr=errors)
    try:
        address = f"http://127.0.0.1:{port}"
        for _ in range(100):
            with contextlib.suppress(urllib.error.URLError, ConnectionError):
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=5).close()
                break
            time.sleep(0.1)
        else:
            raise RuntimeError(f"nginx did not start: {log.read_text()[-500:]}")
        yield address
    finally:
        process.terminate()
        process.wait(timeout=10)


# -- visitors ------------------------------------------------------------------------------


@dataclass
class Stay:
    """What one visitor met with: the process he was given, and the answers he got."""

    process: str
    moves: list[tuple[float, float]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    came_back_after: float | None = None


def process_of(address: str, cookie: str = "") -> str:
    """The process that the proxy gives to who comes with this cookie."""
    request = urllib.request.Request(f"{address}/_stcore/health")
    if cookie:
        request.add_header("Cookie", cookie)
    with urllib.request.urlopen(request, timeout=30) as response:
        cookies = response.headers.get_all("Set-Cookie") or []
    return next(each for each in cookies if each.startswith("process=")).split(";")[0][8:]


async def stay(address, page, pause, seconds, rng, began) -> Stay:
    """A visitor who moves a slider until the time is up, and comes again when cut off."""

    def now() -> float:
        return time.perf_counter() - began

    await asyncio.sleep(float(rng.uniform(0.0, pause)))
    name = await asyncio.to_thread(process_of, address)
    found, query, step, cut_off = Stay(name), "", int(rng.integers(0, 50)), None
    while now() < seconds:
        try:
            async with Visitor(address, page, query, cookie=f"process={name}") as visitor:
                await visitor.open()
                if cut_off is not None:
                    found.came_back_after, cut_off = now() - cut_off, None
                while now() < seconds:
                    took = await visitor.move(step)
                    query, step = visitor.query, step + 1
                    found.moves.append((now() - took, took))
                    rest = float(rng.uniform(0.5, 1.5)) * pause
                    await asyncio.sleep(max(0.0, rest - took))
        except (websockets.exceptions.WebSocketException, OSError) as error:
            if cut_off is None:
                cut_off = now()
                found.errors.append(f"{type(error).__name__}: {str(error)[:200]}")
            elif now() - cut_off > COMING_BACK_SECONDS:
                found.errors.append(f"not back after {COMING_BACK_SECONDS:.0f} s")
                break
            await asyncio.sleep(0.5)  # as Streamlit's own browser side waits before it tries again
        except Exception as error:
            found.errors.append(f"{type(error).__name__}: {str(error)[:200]}")
            break
    return found


async def results_are_shared(apps: dict[str, App]) -> bool:
    """Whether a sweep that one process ran is there, complete, for a visitor of the other."""
    async with Visitor(apps[KILLED].address, "ESVM_accuracy", SWEEP) as visitor:
        await visitor.open()
        await visitor.press("^Run$")
        await visitor.watch("All trials are done", 300.0)
    async with Visitor(apps[SPARED].address, "ESVM_accuracy", SWEEP) as visitor:
        await visitor.open()
        return "All trials are done" in visitor.text


async def crowd(address, visitors, seconds, pause, kill) -> list[Stay]:
    began = time.perf_counter()
    pages, seeds = load.page_names(), np.random.default_rng(0).spawn(visitors)
    stays = [
        stay(address, pages[k % len(pages)], pause, seconds, seeds[k], began)
        for k in range(visitors)
    ]

    async def accident() -> None:
        await asyncio.sleep(KILL_AT * seconds)
        await asyncio.to_thread(kill)

    *found, _ = await asyncio.gather(*stays, accident())
    return found


# -- the run -------------------------------------------------------------------------------


def summary(stays: list[Stay], seconds: float, p95_limit: float = load.P95_MS) -> dict:
    killed = [each for each in stays if each.process == KILLED]
    spared = [each for each in stays if each.process == SPARED]
    kill, warm = KILL_AT * seconds, load.WARM_UP * seconds

    def between(group, start, end):
        return load.milliseconds([t for s in group for at, t in s.moves if start <= at < end])

    before, after = between(stays, warm, kill), between(spared, kill, seconds)
    crowded = between(spared, kill, kill + COMING_BACK_SECONDS)
    back = [each.came_back_after for each in killed if each.came_back_after is not None]
    targets = {
        "visitors on both processes": min(len(killed), len(spared)) > 0.3 * len(stays),
        f"p95 under {p95_limit:.0f} ms": (before["p95_ms"] or np.inf) < p95_limit,
        "no error of a visitor of the other process": not any(each.errors for each in spared),
        f"p95 of the others under {p95_limit:.0f} ms after the kill": (after["p95_ms"] or np.inf)
        < p95_limit,
        f"and in the {COMING_BACK_SECONDS:.0f} s right after it": (crowded["p95_ms"] or np.inf)
        < p95_limit,
        "all who were cut off came back": len(back) == len(killed),
    }
    return {
        "visitors_of": dict(Counter(each.process for each in stays)),
        "moves": sum(len(each.moves) for each in stays),
        "before_the_kill": before,
        "others_after_the_kill": after,
        "others_right_after_the_kill": crowded,
        "errors_of_the_others": sorted({text for each in spared for text in each.errors}),
        "errors_of_the_cut_off": dict(Counter(text for each in killed for text in each.errors)),
        "back_after_seconds": {
            "median": float(np.median(back)) if back else None,
            "worst": max(back, default=None),
        },
        "targets": targets,
    }


def run(visitors: int, seconds: float, pause: float) -> dict:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        environment = {"OPENBLAS_NUM_THREADS": "1", OWN_FOLDER_VARIABLE: str(folder / "results")}

        def start(name: str, port: int | None = None) -> App:
            log = folder / f"{name}.log"
            return stack.enter_context(running_app(log, environment, port=port))

        apps = {name: start(name) for name in NAMES}
        ports = {name: int(app.address.rsplit(":", 1)[1]) for name, app in apps.items()}
        address = stack.enter_context(proxy(folder, ports))

        def kill() -> None:
            apps[KILLED].process.kill()
            apps[KILLED].process.wait()
            time.sleep(DOWN_SECONDS)
            start(KILLED, ports[KILLED])

        shared = asyncio.run(results_are_shared(apps))
        sticky = all(process_of(address, f"process={name}") == name for name in NAMES * 5)
        for app in apps.values():  # every page once on each, so that nothing is cold
            asyncio.run(load.cpu_of_moves(app, load.page_names(), moves=2))
        found = summary(asyncio.run(crowd(address, visitors, seconds, pause, kill)), seconds)
    targets = {"a cookie keeps the process": sticky, "one folder of results": shared}
    targets |= found.pop("targets")
    return {
        "visitors": visitors,
        "seconds": seconds,
        "pause_seconds": pause,
        "load_average": os.getloadavg()[0],  # far above the cores, the times are too long
        **found,
        "targets": targets,
        "met": all(targets.values()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument(
        "--pause", type=float, default=2.0, help="seconds between a visitor's moves"
    )
    parser.add_argument("--dry", action="store_true", help="print, do not write the result file")
    arguments = parser.parse_args()
    found = run(arguments.visitors, 60.0 * arguments.minutes, arguments.pause)
    for name in ("visitors_of", "before_the_kill", "back_after_seconds"):
        print(name, found[name])
    for name in ("others_after_the_kill", "others_right_after_the_kill"):
        print(name, found[name])
    print(found["errors_of_the_others"], found["errors_of_the_cut_off"])
    for target, met in found["targets"].items():
        print(f"{'met' if met else 'NOT MET'}: {target}")
    if not arguments.dry:
        common.write("serving", found)


if __name__ == "__main__":
    main()

"""Runs scripts one after the other, each in a process of its own that has `solvers` imported.

A line of JSON in, with the script and the files for what it prints; its exit code out. Every
script of a page imports `solvers` first, so nothing is there that it would not have; what it does
not import itself it has no name for.
"""

import json
import os
import sys
import traceback
import types

import solvers  # noqa: F401  what all scripts share


def run(code: str) -> int:
    """The script as `python -c` runs it: the main module of its process."""
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv = ["-c"]
    try:
        exec(compile(code, "<string>", "exec"), main.__dict__)
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def run_apart(code: str, out: str, err: str) -> int:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            for number, path in ((0, os.devnull), (1, out), (2, err)):
                flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
                os.dup2(os.open(path, flags), number)
            status = run(code)
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(status)  # whatever happened, the child takes no other script
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    for line in sys.stdin:
        print(run_apart(**json.loads(line)), flush=True)

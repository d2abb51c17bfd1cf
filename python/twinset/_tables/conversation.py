"""The conversation with the command."""

from __future__ import annotations

import ctypes
import gc
import importlib.util
import json
import os
import resource
import sys
from typing import Any

from .failure import Failure, first_line
from .networks import Networks
from .objects import Objects, is_remote, state_of
from .reading import Reading, schemas_of
from .stores import without_secrets
from .writing import write_like

PROTOCOL = 1
LISTED_AT_ONCE = 20000


class Server:
    def __init__(self, before: str = "", remedy: str = "") -> None:
        self.before, self.remedy = before, remedy
        self.objects: Objects | None = None
        self.reading: Reading | None = None
        self.listed: list[dict[str, Any]] = []
        self.file: tuple[str, Any] | None = None

    def do_hello(self, request: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        if request.get("protocol") != PROTOCOL:
            raise Failure("unsupported", f"this twinset-tables speaks protocol {PROTOCOL}", "", "install it anew")
        configuration = request.get("configuration", {})
        self.objects = Objects(Networks(configuration.get("networks", [])))
        sys.modules.setdefault("numpy", None)  # type: ignore[arg-type]  # it takes longer to load than all the rest
        try:
            import pyarrow
        except ImportError as error:
            raise Failure(
                "unsupported",
                f"pyarrow is not installed for {sys.executable} ({first_line(error)})",
                "",
                self._remedy(),
            ) from None
        pyarrow.set_cpu_count(1)
        bound_memory(int(configuration.get("memory_bytes", free_memory() // 2)))
        return {"protocol": PROTOCOL, "type": "tables", "pyarrow": pyarrow.__version__}, []

    def _remedy(self) -> str:
        if not self.remedy:
            return f"{sys.executable} -m pip install pyarrow"
        # Debian has what makes virtual environments in a package of its own.
        return self.remedy if importlib.util.find_spec("ensurepip") else self.before + self.remedy

    def do_list(self, request: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        begin = int(request.get("from", 0))
        if begin == 0:
            self.listed = self._objects().find(request["path"])
        part = self.listed[begin : begin + LISTED_AT_ONCE]
        return {"objects": part, "more": begin + len(part) < len(self.listed)}, []

    def do_stat(self, request: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        return {"object": self._objects().stat(request["path"])}, []

    def do_read(self, request: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        path, offset, size = request["path"], int(request["offset"]), int(request["size"])
        if self.file is None or self.file[0] != path:
            self.file = (path, self._objects().open(path))
        file = self.file[1]
        try:
            file.seek(min(offset, file.size()))
            body = file.read(size)
        except OSError as error:
            self.file = None
            raise self._objects().failure(error, path) from None
        # A handle tells of the object as it was opened; at its end one looks whether it is there still.
        is_end = offset + len(body) >= file.size()
        state = self._objects().stat(path) if is_end else state_of(file)
        return {**state, "body_bytes": len(body)}, [body]

    def do_schemas(self, request: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        return {"schemas": schemas_of(self._objects(), request["paths"], request["columns"])}, []

    def do_open(self, request: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        self.reading = None
        self.reading = Reading(self._objects(), request["path"], request["columns"], int(request["most_bytes"]))
        return self.reading.told(), []

    def do_rows(self, _request: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        if self.reading is None:
            raise Failure("usage", "no table is open")
        return self.reading.next()

    def do_write(self, request: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        written = write_like(
            self._objects(), request["path"], request["script"], request.get("annotation", ""), request["to"]
        )
        return {"rows": written.rows, "left_out": written.left_out, "warnings": written.warnings}, []

    def _objects(self) -> Objects:
        if self.objects is None:
            raise Failure("usage", "hello comes first")
        return self.objects

    OPERATIONS = ("hello", "list", "stat", "read", "schemas", "open", "rows", "write")

    def answer(self, line: bytes) -> tuple[bytes, list[Any]]:
        request: dict[str, Any] = {}
        buffers: list[Any] = []
        try:
            request = json.loads(line)
            operation = request.get("op")
            if operation not in self.OPERATIONS:
                raise Failure("unsupported", f"no operation {operation}")
            said, buffers = getattr(self, f"do_{operation}")(request)
            reply = {"id": request["id"], "ok": True, **said}
        except Failure as error:
            reply = {"id": request.get("id"), "ok": False, "error": error.told}
        except MemoryError:
            told = {"code": "io", "message": "the helper has not enough memory", "where": str(request.get("path", ""))}
            reply = {"id": request.get("id"), "ok": False, "error": told}
        except Exception as error:  # noqa: BLE001  the conversation goes on
            where = str(request.get("path", ""))
            told = {"code": "unavailable" if is_remote(where) else "io", "message": first_line(error), "where": where}
            reply = {"id": request.get("id"), "ok": False, "error": told}
        if "error" in reply:  # in whatever words, no message tells a key
            reply["error"] = {name: without_secrets(text) for name, text in reply["error"].items()}
        return json.dumps(reply).encode() + b"\n", buffers


def free_memory() -> int:
    with open("/proc/meminfo", encoding="ascii") as lines:
        found = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines}
    return max(1 << 30, found.get("MemAvailable", 0))


def bound_memory(size: int) -> None:
    """No more than ``size`` bytes beyond what the libraries have taken: a bomb is an error of its rows, then."""
    trim, threshold, arenas = -1, -3, -8  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX
    libc = ctypes.CDLL(None)
    # The buffers of the last rows are used for the next ones: pages of the machine cost as much as what is read into
    # them. What a long row takes beyond them goes back.
    libc.mallopt(trim, 64 << 20)
    libc.mallopt(threshold, 32 << 20)
    libc.mallopt(arenas, 2)
    taken = 0
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmData:"):
                taken = int(line.split()[1]) * 1024
    resource.setrlimit(resource.RLIMIT_DATA, (taken + size, resource.RLIM_INFINITY))


def send(descriptor: int, parts: list[Any]) -> None:
    for part in parts:
        view = memoryview(part).cast("B") if len(part) else memoryview(b"")
        while len(view):
            view = view[os.write(descriptor, view) :]


def main(before: str = "", remedy: str = "") -> int:
    """Talks with the command until its input ends.

    Args:
        before: What to type before ``remedy`` where Python cannot make virtual environments.
        remedy: What to type for pyarrow; empty where pip may install into this Python.
    """
    if len(sys.argv) > 1:
        print("usage: twinset-tables: twinset starts it to read tables and buckets", file=sys.stderr)
        return 2
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    gc.set_threshold(100_000)  # loading libraries makes many objects, and none goes
    server = Server(before, remedy)
    with os.fdopen(os.dup(0), "rb") as requests:
        while line := requests.readline(64 << 20):
            reply, buffers = server.answer(line)
            send(1, [reply, *buffers])
    return 0


if __name__ == "__main__":
    sys.exit(main())

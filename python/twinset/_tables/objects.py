"""Files, and objects in buckets and on web servers."""

from __future__ import annotations

import concurrent.futures
import datetime
import os
from collections.abc import Callable
from typing import Any

from .failure import Failure, first_line
from .networks import Door, Networks
from .stores import endpoint, failure_of, is_set, no_connection, region
from .web_file import WebFile, time_ns

REMOTE = ("s3://", "gs://", "http://", "https://")

class Objects:
    """Files, buckets and web servers, by path or address."""

    def __init__(self, networks: Networks) -> None:
        self.networks = networks
        self.systems: dict[tuple[str, str], Any] = {}
        self.door = Door(networks)
        for name in ("no_proxy", "NO_PROXY"):
            os.environ.pop(name, None)
        # Credentials come from the environment, never from an address inside the machine's network.
        os.environ["AWS_EC2_METADATA_DISABLED"] = "true"

    def system(self, address: str) -> tuple[Any, str]:
        """The file system of an address and the path in it; files of this machine and web servers have none."""
        scheme, bucket = address.split("://", 1)[0], address.split("://", 1)[1].split("/", 1)[0]
        if scheme not in ("s3", "gs"):
            raise Failure("unsupported", f"{scheme}:// is not read", address)
        if (scheme, bucket) not in self.systems:
            self.systems[scheme, bucket] = self._s3(address) if scheme == "s3" else self._gs()
        return self.systems[scheme, bucket], address.split("://", 1)[1]

    def _s3(self, address: str) -> Any:
        from pyarrow import fs

        scheme, host = endpoint(address)
        proxy = {
            "scheme": "http",
            "host": "127.0.0.1",
            "port": self.door.port,
            "username": "twinset",
            "password": self.door.password,
        }
        return fs.S3FileSystem(
            anonymous=is_set("AWS_NO_SIGN_REQUEST"),
            region=region(),
            scheme=scheme,
            endpoint_override=host or None,
            proxy_options=proxy,
            background_writes=False,
            connect_timeout=20,
            request_timeout=60,
            retry_strategy=fs.AwsStandardS3RetryStrategy(max_attempts=5),
        )

    def _gs(self) -> Any:
        from pyarrow import fs

        proxy = f"http://twinset:{self.door.password}@127.0.0.1:{self.door.port}"
        for name in ("http_proxy", "https_proxy", "HTTPS_PROXY"):
            os.environ[name] = proxy
        if emulator := os.environ.get("STORAGE_EMULATOR_HOST"):  # so do other libraries of Google call it
            address = emulator if "://" in emulator else f"http://{emulator}"
            os.environ.setdefault("CLOUD_STORAGE_EMULATOR_ENDPOINT", address)
        return fs.GcsFileSystem(
            anonymous=is_set("CLOUDSDK_AUTH_DISABLE_CREDENTIALS"),
            retry_time_limit=datetime.timedelta(seconds=60),
        )

    def call(self, address: str, what: Callable[[Any, str], Any]) -> Any:
        """``what`` with the file system of an address; its errors say where and why."""
        system, path = self.system(address)
        self.door.refusal()
        try:
            return what(system, path)
        except FileNotFoundError:
            raise Failure("not-found", what_is_not_there(system, path), address) from None
        except OSError as error:
            raise self.failure(error, address) from None

    def failure(self, error: BaseException, address: str) -> Failure:
        """What an error of a library of stores means: that its connection was refused, or what it says."""
        refusal = self.door.refusal()
        if refusal is None:
            return failure_of(error, address)
        if refusal.told["code"] == "unavailable":
            return no_connection(refusal.told["message"], address)
        refusal.told["where"] = address
        return refusal

    def find(self, address: str) -> list[dict[str, Any]]:
        """The object of this name, or all below it, by name, with size, time and entity tag."""
        if is_web(address):
            return [self.stat(address)]
        if not address.split("://", 1)[1].strip("/"):
            raise Failure("usage", "it names no bucket", address, f"give one: {address.split('://', 1)[0]}://BUCKET")
        from pyarrow import fs

        def found(system: Any, path: str) -> list[Any]:
            bare = path.rstrip("/")
            if not path.endswith("/"):  # a folder need not be looked for: some stores fail at its name
                one = system.get_file_info(bare)
                if one.type == fs.FileType.File:
                    return [one]
                if one.type == fs.FileType.NotFound:
                    raise FileNotFoundError
            infos = system.get_file_info(fs.FileSelector(bare, recursive=True))
            below = [i for i in infos if i.type == fs.FileType.File and not i.path.endswith("/")]
            return sorted(below, key=lambda info: info.path.encode())

        infos = self.call(address, found)
        scheme = address.split("://", 1)[0]
        names = [f"{scheme}://{info.path}" for info in infos]
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            return list(pool.map(self.stat, names))

    def stat(self, address: str) -> dict[str, Any]:
        with self.open(address) as file:
            return {"path": address, **state_of(file)}

    def open(self, address: str) -> Any:
        """An open object that can be sought."""
        if is_web(address):
            return WebFile(self.networks, address)
        return self.call(address, lambda system, path: system.open_input_file(path))


def what_is_not_there(system: Any, path: str) -> str:
    """In words: the bucket, or an object in it."""
    from pyarrow import fs

    bucket = path.split("/", 1)[0]
    try:
        is_bucket = system.get_file_info(bucket).type != fs.FileType.NotFound
    except OSError:  # who may read an object need not see its bucket
        is_bucket = True
    return "there is no such object" if is_bucket else f"there is no bucket {bucket}"


def is_web(address: str) -> bool:
    return address.startswith(("http://", "https://"))


def is_remote(address: str) -> bool:
    return address.startswith(REMOTE)


def state_of(file: Any) -> dict[str, Any]:
    """By what an object is told from another one of its name."""
    return {"size": file.size(), "etag": etag_of(file), "mtime_ns": mtime_of(file)}


def etag_of(file: Any) -> str:
    if isinstance(file, WebFile):
        return file.etag
    found = fields_of(file)
    return found.get("etag", found.get("generation", found.get("crc32c", "")))


def mtime_of(file: Any) -> int:
    if isinstance(file, WebFile):
        return file.mtime_ns
    found = fields_of(file)
    return time_ns(found.get("last-modified", found.get("updated", "")))


def fields_of(file: Any) -> dict[str, str]:
    def text(value: Any) -> str:
        return value.decode() if isinstance(value, bytes) else str(value)

    return {text(key).lower(): text(value) for key, value in (file.metadata() or {}).items()}


def check_of(objects: Objects, address: str) -> Callable[[], Any] | None:
    """What raises a Failure while the store of a table does not give it; None for a file of this machine."""

    def check() -> None:
        with objects.open(address) as file:
            try:
                file.read(1)
            except OSError as error:
                raise objects.failure(error, address) from None

    return check if is_remote(address) else None


def open_file(objects: Objects, address: str) -> Any:
    import pyarrow as pa

    if is_remote(address):
        file = objects.open(address)
        return pa.PythonFile(file, mode="r") if isinstance(file, WebFile) else file
    try:
        return pa.OSFile(address)
    except OSError as error:
        raise Failure("io", first_line(error), address) from None

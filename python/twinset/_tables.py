#!/usr/bin/env python3
"""``twinset-tables``: tables and objects in buckets, for the command over a pipe.

The command starts this program when an input is a table (Parquet, Arrow, Feather, ORC) or stands in a bucket
(``s3://``, ``gs://``) or on a web server (``https://``). It needs pyarrow, and nothing else of twinset, so that it
can stand beside a command that was installed without the wheel. The conversation is written down in
``docs/methods/tables.md``: one JSON object a line, with the bytes of columns and objects behind a line.
"""

from __future__ import annotations

import concurrent.futures
import ctypes
import datetime
import decimal
import functools
import http.client
import ipaddress
import json
import math
import os
import resource
import socket
import ssl
import sys
import threading
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any

PROTOCOL = 1
BATCH_BYTES = 4 << 20  # of a batch of rows, as far as the table says how long its rows are
MOST_ROWS = 16384
LISTED_AT_ONCE = 20000
PARQUET, ARROW, STREAM, ORC = "parquet", "arrow", "arrow-stream", "orc"
REMOTE = ("s3://", "gs://", "http://", "https://")


class Failure(Exception):
    """An error that is told to the command: a code of the protocol, a message, a place and what to do."""

    def __init__(self, code: str, message: str, where: str = "", remedy: str = "") -> None:
        super().__init__(message)
        self.told = {"code": code, "message": message, "where": where, "remedy": remedy}


def first_line(error: BaseException) -> str:
    text = str(error).strip()
    return text.splitlines()[0][:300] if text else type(error).__name__


# ---- which addresses may be asked ----


NAT64 = ipaddress.ip_network("64:ff9b::/96")
UNICAST = ipaddress.ip_network("2000::/3")


class Networks:
    """The public internet and the networks that the user named (``--networks``)."""

    def __init__(self, named: list[str]) -> None:
        try:
            self.named = [ipaddress.ip_network(one) for one in named]
        except ValueError as error:
            raise Failure("usage", first_line(error), "--networks") from None

    def allows(self, text: str) -> bool:
        address: Any = ipaddress.ip_address(text)
        if address.version == 6:  # what carries an address of version 4 is judged by that
            if address.ipv4_mapped is not None:
                address = address.ipv4_mapped
            elif address in NAT64:
                address = ipaddress.ip_address(int(address) & 0xFFFFFFFF)
        if any(address.version == one.version and address in one for one in self.named):
            return True
        if address.version == 6 and (address not in UNICAST or address.sixtofour or address.teredo):
            return False
        return address.is_global and not address.is_multicast

    def resolve(self, host: str, port: int) -> list[str]:
        """The addresses of a host, all of which may be asked."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise Failure("unavailable", f"the name cannot be resolved: {first_line(error)}", host) from None
        addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
        for address in addresses:
            if not self.allows(address):
                raise Failure(
                    "usage",
                    f"it stands on {address}, which is no address of the public internet",
                    host,
                    f"--networks {address} allows it",
                )
        return addresses

    def connect(self, host: str, port: int, timeout: float) -> socket.socket:
        """A connection to an address that was judged: the name is not resolved again."""
        last: OSError | None = None
        for address in self.resolve(host, port):
            try:
                return socket.create_connection((address, port), timeout)
            except OSError as error:
                last = error
        raise Failure("unavailable", f"no connection: {first_line(last or OSError())}", host)


class Door:
    """A proxy on the loopback through which the libraries of buckets speak, so that ``Networks`` judges the very
    address of each connection. Only who knows the password of this process gets through it."""

    def __init__(self, networks: Networks) -> None:
        self.networks = networks
        self.password = os.urandom(16).hex()
        self.refusal: Failure | None = None  # why the last connection was refused
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self._pass, args=(client,), daemon=True).start()

    def _pass(self, client: socket.socket) -> None:
        with client:
            head = b""
            while b"\r\n\r\n" not in head:
                more = client.recv(65536)
                if not more or len(head) > 1 << 18:
                    return
                head += more
            line, _, rest = head.partition(b"\r\n")
            words = line.decode("latin-1").split(" ")
            if len(words) != 3 or not self._is_known(rest.partition(b"\r\n\r\n")[0]):
                client.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
                return
            parts = urllib.parse.urlsplit(f"//{words[1]}" if words[0] == "CONNECT" else words[1])
            port = parts.port or 80
            try:
                server = self.networks.connect(parts.hostname or "", port, 30)
            except Failure as error:
                self.refusal = error
                client.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
                return
            with server:
                server.settimeout(None)
                if words[0] == "CONNECT":
                    client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                else:
                    server.sendall(line + b"\r\n" + rest)
                back = threading.Thread(target=_pump, args=(server, client), daemon=True)
                back.start()
                _pump(client, server)
                back.join()

    def _is_known(self, fields: bytes) -> bool:
        import base64

        wanted = base64.b64encode(f"twinset:{self.password}".encode()).decode()
        for field in fields.decode("latin-1").split("\r\n"):
            name, _, value = field.partition(":")
            if name.strip().lower() == "proxy-authorization":
                return value.strip() == f"Basic {wanted}"
        return False


def _pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while chunk := source.recv(1 << 18):
            target.sendall(chunk)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        for one in (source, target):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


# ---- objects ----


class Objects:
    """Files, buckets and web servers, by path or address."""

    def __init__(self, networks: Networks) -> None:
        self.networks = networks
        self.systems: dict[tuple[str, str], Any] = {}

    @functools.cached_property
    def door(self) -> Door:
        for name in ("no_proxy", "NO_PROXY"):
            os.environ.pop(name, None)
        # Credentials come from the environment, never from an address inside the machine's network.
        os.environ["AWS_EC2_METADATA_DISABLED"] = "true"
        return Door(self.networks)

    def system(self, address: str) -> tuple[Any, str]:
        """The file system of an address and the path in it; files of this machine and web servers have none."""
        scheme, bucket = address.split("://", 1)[0], address.split("://", 1)[1].split("/", 1)[0]
        if scheme not in ("s3", "gs"):
            raise Failure("unsupported", f"{scheme}:// is not read", address)
        if (scheme, bucket) not in self.systems:
            self.systems[scheme, bucket] = self._s3(bucket) if scheme == "s3" else self._gs()
        return self.systems[scheme, bucket], address.split("://", 1)[1]

    def _s3(self, bucket: str) -> Any:
        from pyarrow import fs

        endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
        region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
        parts = urllib.parse.urlsplit(endpoint or "https://s3.amazonaws.com")
        if endpoint is None and region is None:
            self.networks.resolve("s3.amazonaws.com", 443)
            region = fs.resolve_s3_region(bucket)
        proxy = {
            "scheme": "http",
            "host": "127.0.0.1",
            "port": self.door.port,
            "username": "twinset",
            "password": self.door.password,
        }
        return fs.S3FileSystem(
            anonymous=os.environ.get("AWS_NO_SIGN_REQUEST", "").lower() in ("1", "true", "yes"),
            region=region or "us-east-1",
            scheme=parts.scheme,
            endpoint_override=parts.netloc if endpoint else None,
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
        return fs.GcsFileSystem(
            anonymous=os.environ.get("CLOUDSDK_AUTH_DISABLE_CREDENTIALS", "").lower() in ("1", "true"),
            retry_time_limit=datetime.timedelta(seconds=60),
        )

    def call(self, address: str, what: Callable[[Any, str], Any]) -> Any:
        """``what`` with the file system of an address; its errors say where and why."""
        system, path = self.system(address)
        self.door.refusal = None
        try:
            return what(system, path)
        except FileNotFoundError:
            raise Failure("not-found", "there is no such object", address) from None
        except OSError as error:
            if (refusal := self.door.refusal) is not None:
                refusal.told["where"] = address
                raise refusal from None
            raise Failure("unavailable", first_line(error), address) from None

    def find(self, address: str) -> list[dict[str, Any]]:
        """The object of this name, or all below it, by name, with size, time and entity tag."""
        if is_web(address):
            return [self.stat(address)]
        from pyarrow import fs

        def found(system: Any, path: str) -> list[Any]:
            bare = path.rstrip("/")
            one = system.get_file_info(bare)
            if one.type == fs.FileType.File and not path.endswith("/"):
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


def time_ns(text: str) -> int:
    import email.utils

    for read in (email.utils.parsedate_to_datetime, datetime.datetime.fromisoformat):
        try:
            return int(read(text).timestamp()) * 1_000_000_000
        except (TypeError, ValueError):
            continue
    return 0


class WebFile:
    """A file on a web server that gives ranges of it. Each range is asked for with the entity tag seen first."""

    RETRIES = 4

    def __init__(self, networks: Networks, address: str) -> None:
        self.networks, self.asked = networks, address
        self.address, self.etag, self.at, self.closed = address, "", 0, False
        self.connection: http.client.HTTPConnection | None = None
        fields, _ = self._get(0, 1, first=True)
        size = fields.get("Content-Range", "").rpartition("/")[2]
        if not size.isdigit():
            raise Failure(
                "unsupported",
                "the server gives no ranges of the file",
                address,
                "download it, and give the file",
            )
        self.length = int(size)
        self.etag = fields.get("ETag", "")
        self.mtime_ns = time_ns(fields.get("Last-Modified", ""))

    def _connect(self) -> http.client.HTTPConnection:
        parts = urllib.parse.urlsplit(self.address)
        secure = parts.scheme == "https"
        host, port = parts.hostname or "", parts.port or (443 if secure else 80)
        wire = self.networks.connect(host, port, 60)
        connection = http.client.HTTPConnection(host, port, timeout=60)
        connection.sock = ssl.create_default_context().wrap_socket(wire, server_hostname=host) if secure else wire
        return connection

    def _get(self, begin: int, end: int, first: bool = False) -> tuple[Any, bytes]:
        problem: Exception = Failure("unavailable", "the server does not answer", self.asked)
        for _ in range(self.RETRIES):
            try:
                return self._get_once(begin, end, first)
            except (OSError, http.client.HTTPException) as error:
                problem = Failure("unavailable", first_line(error), self.asked)
                self.connection = None
        raise problem

    def _get_once(self, begin: int, end: int, first: bool) -> tuple[Any, bytes]:
        for _ in range(6):
            self.connection = self.connection or self._connect()
            parts = urllib.parse.urlsplit(self.address)
            fields = {"Range": f"bytes={begin}-{end - 1}", "User-Agent": "twinset/1", "Accept-Encoding": "identity"}
            if self.etag and not first:
                fields["If-Match"] = self.etag
            self.connection.request("GET", (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), None, fields)
            reply = self.connection.getresponse()
            if reply.status in (301, 302, 303, 307, 308) and reply.headers.get("Location"):
                self.address = urllib.parse.urljoin(self.address, reply.headers["Location"])
                self.close()
                self.closed = False
                continue
            if reply.status in (200, 404, 410, 412, 416):
                self.close()
                self.closed = False
            if reply.status in (404, 410):
                raise Failure("not-found", "there is no such file", self.asked)
            if reply.status == 412:
                raise Failure("io", "the file was replaced while it was in use", self.asked)
            if reply.status == 416:
                return {"Content-Range": reply.headers.get("Content-Range", "bytes */0"), **reply.headers}, b""
            if reply.status == 200:
                return {name: value for name, value in reply.headers.items() if name != "Content-Range"}, b""
            body = reply.read()
            if reply.status != 206:
                raise OSError(f"the server answers with status {reply.status}")
            if len(body) != end - begin and not first:
                raise OSError("the server sent fewer bytes than it was asked for")
            return reply.headers, body
        raise Failure("unavailable", "too many redirects", self.asked)

    def size(self) -> int:
        return self.length

    def tell(self) -> int:
        return self.at

    def seek(self, offset: int, whence: int = 0) -> int:
        self.at = offset + (0, self.at, self.length)[whence]
        return self.at

    def read(self, size: int = -1) -> bytes:
        end = self.length if size < 0 else min(self.length, self.at + size)
        if end <= self.at:
            return b""
        body = self._get(self.at, end)[1]
        self.at = end
        return body

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def writable(self) -> bool:
        return False

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
        self.connection, self.closed = None, True

    def __enter__(self) -> WebFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


# ---- tables ----


class Wanted:
    """A column of a row as the command asks for it: a path of names (docs/formats/inputs.md, Paths)."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self.name: str = asked["name"]
        self.paths: list[list[str]] = asked["paths"]

    def resolve(self, schema: Any) -> list[tuple[str, list[int]]]:
        """Names and places of what is read for it: the column itself, a member of structs, or a whole column."""
        import pyarrow as pa

        names = schema.names
        if self.name in names:
            return [(self.name, [names.index(self.name)])]
        found = []
        for path in self.paths:
            if path[0] not in names:
                continue
            places = [names.index(path[0])]
            kind = schema.field(places[0]).type
            for key in path[1:]:
                if not pa.types.is_struct(kind) or kind.get_field_index(key) < 0:
                    break
                places.append(kind.get_field_index(key))
                kind = kind.field(places[-1]).type
            is_whole = len(places) == len(path) and len(self.paths) == 1
            found.append((self.name, places) if is_whole else (path[0], places[:1]))
        return found


def field_paths(schema: Any) -> list[str]:
    """The names of a table's values, as paths."""
    import pyarrow as pa

    def below(path: str, kind: Any, depth: int) -> Iterator[str]:
        if pa.types.is_struct(kind) and kind.num_fields and depth < 8:
            for member in kind:
                yield from below(f"{path}.{escaped(member.name)}", member.type, depth + 1)
        elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
            yield from below(f"{path}.*", kind.value_type, depth + 1)
        else:
            yield path

    return [path for field in schema for path in below(escaped(field.name), field.type, 0)][:10000]


def escaped(name: str) -> str:
    return "".join("\\" + c if c in ".,\\" else c for c in name)


def plain(value: Any) -> Any:
    """A value of JSON for a value of a table."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, decimal.Decimal):
        return str(value)
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", "replace")
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def as_text(column: Any) -> tuple[str, Any]:
    """``text`` or ``json``, and the column as strings: texts as they are, or values as JSON."""
    import pyarrow as pa

    kind = column.type
    while isinstance(kind, pa.BaseExtensionType):
        column, kind = column.storage, kind.storage_type
    if pa.types.is_dictionary(kind):
        column, kind = column.cast(kind.value_type), kind.value_type
    if pa.types.is_large_string(kind) or pa.types.is_large_binary(kind):
        return "text", column
    if pa.types.is_string(kind) or pa.types.is_string_view(kind):
        return "text", column.cast(pa.large_string())
    if pa.types.is_binary(kind) or pa.types.is_fixed_size_binary(kind) or pa.types.is_binary_view(kind):
        return "text", column.cast(pa.large_binary())
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return "json", column.cast(pa.large_string())
    if pa.types.is_decimal(kind):
        return "json", pa.array([None if v is None else f"{v:f}" for v in column.to_pylist()], pa.large_string())
    if pa.types.is_temporal(kind):
        return "text", pa.array([None if v is None else plain(v) for v in column.to_pylist()], pa.large_string())
    return "json", pa.array(
        [None if v is None else json.dumps(plain(v), ensure_ascii=False) for v in column.to_pylist()],
        pa.large_string(),
    )


def member_of(column: Any, places: list[int]) -> Any:
    import pyarrow.compute as pc

    return pc.struct_field(column, places) if places else column


class Damage(Exception):
    """Rows that cannot be read; the rows behind them can."""

    def __init__(self, rows: int, message: str) -> None:
        super().__init__(message)
        self.rows = rows


class ParquetTable:
    format = PARQUET

    def __init__(self, file: Any) -> None:
        import pyarrow.parquet as pq

        # Pages are read as they are wanted, so that a row group of any size takes the memory of a page.
        self.file = pq.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False, page_checksum_verification=True)
        self.schema = self.file.schema_arrow
        self.rows = self.file.metadata.num_rows

    def batches(self, columns: list[int]) -> Iterator[Any]:
        """Batches of rows, and a Damage where some cannot be read."""
        metadata = self.file.metadata
        names = [self.schema.names[i] for i in columns]
        for group in range(metadata.num_row_groups):
            of_group = metadata.row_group(group)
            done, rows = 0, of_group.num_rows
            at_once = rows_at_once(of_group.total_byte_size, rows)
            while done < rows:
                problem = None
                try:
                    for batch in self._group(group, names, at_once, done):
                        done += batch.num_rows
                        yield batch
                    if done < rows:
                        problem = f"row group {group}: it has fewer rows than it says"
                except MemoryError:
                    if at_once > 1:  # long rows: again, one at a time
                        at_once = 1
                        continue
                    problem = f"row group {group}: a row takes more memory than there is for it"
                except Exception as error:  # noqa: BLE001  whatever the library makes of damage
                    problem = f"row group {group}: {first_line(error)}"
                if problem:
                    yield Damage(rows - done, problem)
                    break

    def _group(self, group: int, names: list[str], at_once: int, done: int) -> Iterator[Any]:
        if not names:
            yield from empty_batches(self.file.metadata.row_group(group).num_rows - done)
            return
        for batch in self.file.iter_batches(at_once, [group], columns=names, use_threads=False):
            if done >= batch.num_rows:
                done -= batch.num_rows
                continue
            yield batch.slice(done)
            done = 0


def rows_at_once(size: int, rows: int) -> int:
    return max(1, min(MOST_ROWS, BATCH_BYTES * rows // max(1, size)))


def empty_batches(rows: int) -> Iterator[Any]:
    import pyarrow as pa

    while rows > 0:
        yield pa.RecordBatch.from_struct_array(pa.array([{}] * min(rows, MOST_ROWS), pa.struct([])))
        rows -= MOST_ROWS


class BatchTable:
    """Arrow files and streams, and ORC: a sequence of batches or stripes."""

    def __init__(self, file: Any, kind: str) -> None:
        import pyarrow as pa

        self.format = kind
        if kind == ORC:
            import pyarrow.orc

            self.file = pyarrow.orc.ORCFile(file)
            self.schema, self.count, self.rows = self.file.schema, self.file.nstripes, self.file.nrows
        elif kind == ARROW:
            self.file = pa.ipc.open_file(file)
            self.schema, self.count, self.rows = self.file.schema, self.file.num_record_batches, None
        else:
            self.file = pa.ipc.open_stream(file)
            self.schema, self.count, self.rows = self.file.schema, None, None

    def batches(self, columns: list[int]) -> Iterator[Any]:
        at = 0
        while self.count is None or at < self.count:
            try:
                batch = self._batch(at)
            except StopIteration:
                return
            except Exception as error:  # noqa: BLE001
                what = "stripe" if self.format == ORC else "batch"
                yield Damage(0, f"{what} {at}: {first_line(error)}")
                if self.count is None:
                    return
                at += 1
                continue
            at += 1
            step = rows_at_once(batch.nbytes, batch.num_rows)
            for begin in range(0, batch.num_rows, step):
                yield batch.slice(begin, step).select(columns)

    def _batch(self, at: int) -> Any:
        if self.format == ORC:
            return self.file.read_stripe(at)
        return self.file.get_batch(at) if self.format == ARROW else self.file.read_next_batch()


def open_table(file: Any, address: str) -> ParquetTable | BatchTable:
    """kIo-like Failure "corrupt" when the table cannot be read at all."""
    head = file.read(8)
    file.seek(0)
    try:
        if head.startswith(b"PAR1"):
            return ParquetTable(file)
        if head.startswith(b"ARROW1"):
            return BatchTable(file, ARROW)
        if head.startswith(b"ORC"):
            return BatchTable(file, ORC)
        return BatchTable(file, STREAM)
    except MemoryError:
        raise Failure("corrupt", "what it says of itself takes more memory than there is for it", address) from None
    except Exception as error:  # noqa: BLE001
        raise Failure("corrupt", f"not a table that can be read: {first_line(error)}", address) from None


class Reading:
    """The rows of one table, from the first to the last."""

    def __init__(self, objects: Objects, address: str, asked: list[dict[str, Any]], most_bytes: int) -> None:
        self.objects = objects
        self.state = objects.stat(address) if is_remote(address) else {}
        self.file = open_file(objects, address)
        self.address, self.most_bytes = address, most_bytes
        self.table = open_table(self.file, address)
        schema = self.table.schema
        places: dict[str, list[int]] = {}
        for wanted in map(Wanted, asked):
            for name, place in wanted.resolve(schema):
                places.setdefault(name, place)
        self.columns = list(places.items())
        self.read = sorted({place[0] for place in places.values()})
        self.batches = self.table.batches(self.read)
        self.row = 0

    def told(self) -> dict[str, Any]:
        return {
            **self.state,
            "rows": self.table.rows,
            "format": self.table.format,
            "fields": field_paths(self.table.schema),
            "columns": [name for name, _ in self.columns],
        }

    def next(self) -> tuple[dict[str, Any], list[Any]]:
        """What is said of the next rows, and their bytes."""
        batch = next(self.batches, None)
        if batch is None:
            state = self.objects.stat(self.address) if is_remote(self.address) else {}
            return {**state, "rows": 0, "body_bytes": 0}, []
        first = self.row
        if isinstance(batch, Damage):
            self.row += batch.rows
            return {"rows": 0, "first": first, "damaged_rows": batch.rows, "damage": str(batch), "body_bytes": 0}, []
        self.row += batch.num_rows
        try:
            return self._told_of(batch, first)
        except Exception as error:  # noqa: BLE001  a value that the library cannot convert
            said = {"rows": 0, "first": first, "damaged_rows": batch.num_rows, "damage": first_line(error), "body_bytes": 0}
            return said, []

    def _told_of(self, batch: Any, first: int) -> tuple[dict[str, Any], list[Any]]:
        columns, buffers, size = [], [], 0
        too_large: dict[int, int] = {}
        for name, place in self.columns:
            column = batch.column(self.read.index(place[0]))
            kind, texts = as_text(member_of(column, place[1:]))
            texts = self._without_long(texts, too_large)
            parts = buffers_of(texts)
            columns.append({"name": name, "kind": kind, "data_bytes": parts[2].nbytes})
            buffers += parts
        size = sum(buffer.nbytes for buffer in buffers)
        said = {"rows": batch.num_rows, "first": first, "columns": columns, "body_bytes": size}
        if too_large:
            said["too_large"] = sorted(too_large.items())
        return said, buffers

    def _without_long(self, texts: Any, too_large: dict[int, int]) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        lengths = pc.binary_length(texts)
        if (pc.max(lengths).as_py() or 0) <= self.most_bytes:
            return texts
        is_long = pc.fill_null(pc.greater(lengths, self.most_bytes), False)
        for row in pc.indices_nonzero(is_long).to_pylist():
            too_large[row] = max(too_large.get(row, 0), lengths[row].as_py())
        return pc.if_else(is_long, pa.scalar(None, texts.type), texts)


def buffers_of(texts: Any) -> list[Any]:
    """Of a column of large strings: a byte a row that says whether it is there, the places where texts begin and the
    last one ends (64 bits, little endian, from the first), and the texts."""
    import pyarrow as pa
    import pyarrow.compute as pc

    count = len(texts)
    _, offsets, data = texts.buffers()
    places = pa.Array.from_buffers(pa.int64(), count + 1, [None, offsets], offset=texts.offset)
    first, last = places[0].as_py(), places[count].as_py()
    valid = pc.is_valid(texts).cast(pa.uint8()).buffers()[1]
    relative = pc.subtract(places, first).buffers()[1]
    body = memoryview(data)[first:last] if data is not None else memoryview(b"")
    return [memoryview(valid)[:count], memoryview(relative)[: 8 * (count + 1)], body]


def open_file(objects: Objects, address: str) -> Any:
    import pyarrow as pa

    if is_remote(address):
        file = objects.open(address)
        return pa.PythonFile(file, mode="r") if isinstance(file, WebFile) else file
    try:
        return pa.OSFile(address)
    except OSError as error:
        raise Failure("io", first_line(error), address) from None


# ---- writing a table again ----

ANNOTATIONS = (
    ("twinset_cluster", "cluster", "string"),
    ("twinset_size", "size", "int64"),
    ("twinset_is_representative", "is_representative", "bool_"),
    ("twinset_similarity", "similarity", "float64"),
    ("twinset_contained", "contained", "float64"),
)
GROUP_BYTES = 64 << 20  # a longer row group is written as several


class Script:
    """What stays of a table: a line for each row in order, ``{"row": N}``, with ``"twinset"``, what is said of it, and
    ``"set"``, the columns of text that have another value."""

    def __init__(self, path: str) -> None:
        self.lines = open(path, encoding="utf-8")
        self.ahead: dict[str, Any] | None = None
        self._next()

    def _next(self) -> None:
        line = self.lines.readline()
        self.ahead = json.loads(line) if line else None

    @property
    def annotates(self) -> bool:
        return self.ahead is not None and "twinset" in self.ahead

    def is_before(self, row: int) -> bool:
        return self.ahead is not None and self.ahead["row"] < row

    def take(self, end: int) -> list[dict[str, Any]]:
        """The rows in front of ``end``."""
        taken = []
        while self.ahead is not None and self.ahead["row"] < end:
            taken.append(self.ahead)
            self._next()
        return taken


def edited(batch: Any, first: int, rows: list[dict[str, Any]], annotates: bool) -> Any:
    """The rows of a batch that stay, as a table."""
    import pyarrow as pa

    table = pa.Table.from_batches([batch]).take([one["row"] - first for one in rows])
    changed = {name for one in rows for name in one.get("set", {})}
    for name in changed:
        at = table.schema.get_field_index(name)
        field = table.schema.field(at)
        old = table.column(at).to_pylist()
        new = [one.get("set", {}).get(name, old[i]) for i, one in enumerate(rows)]
        table = table.set_column(at, field, pa.array(new, field.type))
    if annotates:
        for name, key, kind in ANNOTATIONS:
            values = pa.array([one["twinset"].get(key) for one in rows], getattr(pa, kind)())
            table = table.append_column(name, values)
    return table


def annotated_schema(schema: Any, address: str) -> Any:
    import pyarrow as pa

    for name, _, kind in ANNOTATIONS:
        if name in schema.names:
            raise Failure("usage", f"the table has a column {name} already", address, "rename it, or run --action drop")
        schema = schema.append(pa.field(name, getattr(pa, kind)()))
    return schema


def parquet_writer(like: Any, target: str, schema: Any) -> Any:
    """A writer whose files have the codecs, versions and metadata of ``like``."""
    import pyarrow.parquet as pq

    metadata = like.metadata
    codecs, dictionaries, paths, kinds = {}, [], [], set()
    if metadata.num_row_groups and metadata.num_columns:
        group = metadata.row_group(0)
        for i in range(metadata.num_columns):
            column = group.column(i)
            paths.append(column.path_in_schema)
            kinds.add(column.physical_type)
            codec = {"UNCOMPRESSED": "none", "LZ4_RAW": "lz4"}.get(column.compression, column.compression.lower())
            codecs[column.path_in_schema] = codec
            if any("DICTIONARY" in encoding for encoding in column.encodings):
                dictionaries.append(column.path_in_schema)
    first = next(iter(codecs.values()), "snappy")
    for name in schema.names[len(like.schema_arrow.names) :]:
        codecs[name] = first
    return pq.ParquetWriter(
        target,
        schema,
        compression=codecs or "snappy",
        use_dictionary=dictionaries or False,
        version=metadata.format_version if metadata.format_version in ("1.0", "2.4", "2.6") else "2.6",
        use_deprecated_int96_timestamps="INT96" in kinds,
        use_compliant_nested_type=not any(path.endswith(".list.item") for path in paths),
        store_schema=b"ARROW:schema" in (metadata.metadata or {}),
    )


def write_parquet(table: ParquetTable, script: Script, target: str, address: str) -> int:
    import pyarrow as pa

    annotates, written, first = script.annotates, 0, 0
    schema = annotated_schema(table.schema, address) if annotates else table.schema
    with parquet_writer(table.file, target, schema) as writer:
        for group in range(table.file.metadata.num_row_groups):
            rows = table.file.metadata.row_group(group).num_rows
            size = table.file.metadata.row_group(group).total_byte_size
            parts: list[Any] = []
            if script.is_before(first + rows):
                for batch in table._group(group, table.schema.names, rows_at_once(size, rows), 0):
                    stays = script.take(first + batch.num_rows)
                    if stays:
                        parts.append(edited(batch, first, stays, annotates))
                    first += batch.num_rows
                    rows -= batch.num_rows
                    if sum(part.nbytes for part in parts) >= GROUP_BYTES:
                        written += write_group(writer, pa.concat_tables(parts).cast(schema))
                        parts = []
            first += rows
            if parts:
                written += write_group(writer, pa.concat_tables(parts).cast(schema))
    return written


def write_group(writer: Any, table: Any) -> int:
    writer.write_table(table, row_group_size=max(1, table.num_rows))
    return table.num_rows


def write_batches(table: BatchTable, script: Script, target: str, address: str) -> int:
    import pyarrow as pa
    from pyarrow import orc

    annotates, written, first = script.annotates, 0, 0
    schema = annotated_schema(table.schema, address) if annotates else table.schema
    if table.format == ORC:
        writer: Any = orc.ORCWriter(target, compression=table.file.compression.lower())
    elif table.format == ARROW:
        writer = pa.ipc.new_file(target, schema)
    else:
        writer = pa.ipc.new_stream(target, schema)
    with writer:
        at = 0
        while table.count is None or at < table.count:
            try:
                batch = table._batch(at)
            except StopIteration:
                break
            at += 1
            stays = script.take(first + batch.num_rows)
            if stays:
                part = edited(batch, first, stays, annotates).cast(schema).combine_chunks()
                writer.write(part) if table.format == ORC else writer.write_table(part)
                written += part.num_rows
            first += batch.num_rows
    return written


def write_like(objects: Objects, address: str, script_path: str, target: str) -> int:
    """Writes the rows of a table that stay; returns how many there are."""
    script = Script(script_path)
    with open_file(objects, address) as file, script.lines:
        table = open_table(file, address)
        try:
            write = write_parquet if isinstance(table, ParquetTable) else write_batches
            written = write(table, script, target, address)
        except Failure:
            raise
        except MemoryError:
            raise Failure("io", "a row takes more memory than there is for it", address) from None
        except Exception as error:  # noqa: BLE001  whatever the library says of damage and disks
            raise Failure("io", f"the table cannot be written again: {first_line(error)}", address) from None
        if script.ahead is not None:
            raise Failure("io", "the table has fewer rows than it had", address)
    return written


# ---- the conversation ----


class Server:
    def __init__(self) -> None:
        self.objects: Objects | None = None
        self.reading: Reading | None = None
        self.listed: list[dict[str, Any]] = []
        self.file: tuple[str, Any] | None = None

    def do_hello(self, request: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        if request.get("protocol") != PROTOCOL:
            raise Failure("unsupported", f"this twinset-tables speaks protocol {PROTOCOL}", "", "install it anew")
        try:
            import pyarrow
        except ImportError as error:
            raise Failure(
                "unsupported",
                f"pyarrow is not installed for {sys.executable} ({first_line(error)})",
                "",
                f"{sys.executable} -m pip install pyarrow",
            ) from None
        configuration = request.get("configuration", {})
        self.objects = Objects(Networks(configuration.get("networks", [])))
        pyarrow.set_cpu_count(1)
        bound_memory(int(configuration.get("memory_bytes", free_memory() // 2)))
        return {"protocol": PROTOCOL, "type": "tables", "pyarrow": pyarrow.__version__}, []

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
            raise Failure("unavailable", first_line(error), path) from None
        # A handle tells of the object as it was opened; at its end one looks whether it is there still.
        is_end = offset + len(body) >= file.size()
        state = self._objects().stat(path) if is_end else state_of(file)
        return {**state, "body_bytes": len(body)}, [body]

    def do_open(self, request: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        self.reading = None
        self.reading = Reading(self._objects(), request["path"], request["columns"], int(request["most_bytes"]))
        return self.reading.told(), []

    def do_rows(self, _request: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        if self.reading is None:
            raise Failure("usage", "no table is open")
        return self.reading.next()

    def do_write(self, request: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
        return {"rows": write_like(self._objects(), request["path"], request["script"], request["to"])}, []

    def _objects(self) -> Objects:
        if self.objects is None:
            raise Failure("usage", "hello comes first")
        return self.objects

    OPERATIONS = ("hello", "list", "stat", "read", "open", "rows", "write")

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
            told = {"code": "io", "message": first_line(error), "where": str(request.get("path", ""))}
            reply = {"id": request.get("id"), "ok": False, "error": told}
        return json.dumps(reply).encode() + b"\n", buffers


def free_memory() -> int:
    with open("/proc/meminfo", encoding="ascii") as lines:
        found = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines}
    return max(1 << 30, found.get("MemAvailable", 0))


def bound_memory(size: int) -> None:
    """No more than ``size`` bytes beyond what the libraries have taken: a bomb is an error of its rows, then."""
    most_threshold, most_arenas = -3, -8  # M_MMAP_THRESHOLD, M_ARENA_MAX: what is freed goes back to the machine
    libc = ctypes.CDLL(None)
    libc.mallopt(most_threshold, 1 << 20)
    libc.mallopt(most_arenas, 2)
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


def main() -> int:
    if len(sys.argv) > 1:
        print("usage: twinset-tables: twinset starts it to read tables and buckets", file=sys.stderr)
        return 2
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    server = Server()
    with os.fdopen(os.dup(0), "rb") as requests:
        while line := requests.readline(64 << 20):
            reply, buffers = server.answer(line)
            send(1, [reply, *buffers])
    return 0


if __name__ == "__main__":
    sys.exit(main())

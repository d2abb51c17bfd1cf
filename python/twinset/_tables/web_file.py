"""A file on a web server."""

from __future__ import annotations

import datetime
import email.utils
import http.client
import ssl
import urllib.parse
from typing import Any

from .failure import Failure, first_line
from .networks import Networks


def time_ns(text: str) -> int:
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
        try:
            wire = self.networks.connect(host, port, 60)
        except Failure as error:
            error.told["where"] = self.asked
            raise
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

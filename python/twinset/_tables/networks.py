"""Which addresses may be asked, and the one door to them."""

from __future__ import annotations

import base64
import contextlib
import ipaddress
import json
import os
import socket
import threading
import urllib.parse
from typing import Any

from .failure import Failure, first_line

NAT64 = ipaddress.ip_network("64:ff9b::/96")
UNICAST = ipaddress.ip_network("2000::/3")


def reason_of(error: OSError) -> str:
    return error.strerror or first_line(error)


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
            raise Failure("unavailable", f"the name {host} cannot be resolved: {reason_of(error)}", host) from None
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
        raise Failure("unavailable", f"no connection to {host}:{port}: {reason_of(last or OSError())}", host)


class Door:
    """A proxy on the loopback through which the libraries of buckets speak, so that ``Networks`` judges the very
    address of each connection. Only who knows the password of this process gets through it. It is a process of its
    own, begun before there are threads: libraries wait for it with the lock of the interpreter in their hand."""

    def __init__(self, networks: Networks) -> None:
        self.networks = networks
        self.password = os.urandom(16).hex()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.refusals, self.parent = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if os.fork() == 0:
            try:
                self._serve()
            finally:
                os._exit(1)
        self.listener.close()
        self.parent.close()
        self.refusals.setblocking(False)

    def refusal(self) -> Failure | None:
        """Why the last connection was refused, since this was asked last."""
        last = None
        try:
            while told := self.refusals.recv(65536):
                last = Failure("", "")
                last.told = json.loads(told)
        except BlockingIOError:
            pass
        return last

    def _serve(self) -> None:
        nothing = os.open(os.devnull, os.O_RDWR)
        own = {self.listener.fileno(), self.parent.fileno(), 2}
        for one in map(int, os.listdir("/proc/self/fd")):  # the conversation ends with its process, not with this one
            if one < 2:
                os.dup2(nothing, one)
            elif one not in own:
                with contextlib.suppress(OSError):
                    os.close(one)
        threading.Thread(target=self._end_with_parent, daemon=True).start()
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self._pass, args=(client,), daemon=True).start()

    def _end_with_parent(self) -> None:
        self.parent.recv(1)
        os._exit(0)

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
                self.parent.send(json.dumps(error.told).encode())
                client.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
                return
            with server:
                server.settimeout(None)
                if words[0] == "CONNECT":
                    client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                else:
                    server.sendall(_passed_on(words, rest))
                back = threading.Thread(target=_pump, args=(server, client), daemon=True)
                back.start()
                _pump(client, server)
                back.join()

    def _is_known(self, fields: bytes) -> bool:
        wanted = base64.b64encode(f"twinset:{self.password}".encode()).decode()
        for field in fields.decode("latin-1").split("\r\n"):
            name, _, value = field.partition(":")
            if name.strip().lower() == "proxy-authorization":
                return value.strip() == f"Basic {wanted}"
        return False


def _passed_on(words: list[str], rest: bytes) -> bytes:
    """A request to a proxy as its server wants it: without what is the proxy's, and the only one of its connection."""
    fields, _, body = rest.partition(b"\r\n\r\n")
    own = (b"proxy-authorization", b"proxy-connection", b"connection")
    kept = [field for field in fields.split(b"\r\n") if field.partition(b":")[0].strip().lower() not in own]
    path = "/" + words[1].partition("://")[2].partition("/")[2]
    lines = [f"{words[0]} {path} {words[2]}".encode("latin-1"), *kept, b"Connection: close"]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


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

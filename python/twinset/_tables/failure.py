"""Errors that the command is told."""

from __future__ import annotations


class Failure(Exception):
    """An error that is told to the command: a code of the protocol, a message, a place and what to do."""

    def __init__(self, code: str, message: str, where: str = "", remedy: str = "") -> None:
        super().__init__(message)
        self.told = {"code": code, "message": message, "where": where, "remedy": remedy}


def first_line(error: BaseException) -> str:
    text = str(error).strip()
    return text.splitlines()[0][:300] if text else type(error).__name__

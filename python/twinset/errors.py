"""Exceptions: one class for each kind of error, with the words of the command.

``str(error)`` is "where: message (remedy)"; the parts are attributes.
"""

from __future__ import annotations


class TwinsetError(Exception):
    """What twinset could not do.

    Attributes:
        message: What is wrong, without a final period.
        where: The file and position, or an empty string.
        remedy: What can be done, or an empty string.
    """

    def __init__(self, message: str, where: str = "", remedy: str = "") -> None:
        text = f"{where}: {message}" if where else message
        super().__init__(f"{text} ({remedy})" if remedy else text)
        self.message = message
        self.where = where
        self.remedy = remedy

    def __reduce__(self) -> tuple:
        return type(self), (self.message, self.where, self.remedy)


class UsageError(TwinsetError, ValueError):
    """The request itself is wrong: an unknown option, a value out of range."""


class InputOutputError(TwinsetError, OSError):
    """The operating system refused: a missing file, a full disk."""


class CorruptError(TwinsetError, ValueError):
    """Stored bytes are damaged, or not what they claim to be."""


class OutOfMemoryError(TwinsetError, MemoryError):
    """The memory budget cannot hold what one step needs."""


class UnsupportedError(TwinsetError, NotImplementedError):
    """The request is valid, but this build does not serve it."""


class InterruptedRunError(TwinsetError):
    """The run was stopped; a run over files can be resumed."""


class MissingPackageError(TwinsetError, ImportError):
    """A package that is not required is needed for this, and is not installed."""


class UnavailableError(TwinsetError):
    """Another system did not answer in time, or is too busy."""


class NotFoundError(TwinsetError, LookupError):
    """Another system answered that there is no such thing."""


class InternalError(TwinsetError, RuntimeError):
    """An invariant of twinset is broken: a bug."""


class TwinsetWarning(UserWarning):
    """What a command would say on standard error beside its result."""

"""Keyword arguments as flags of the command of the same name.

There is one table of options, that of the commands (``twinset COMMAND --help``).
``max_df=100`` is ``--max-df 100``, ``report=True`` is ``--report``, and
``keep=["newest", "longest"]`` is ``--keep newest --keep longest``.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from twinset import _native

Function = TypeVar("Function", bound=Callable[..., Any])

# The function of the package has these as arguments of its own.
_HIDDEN = frozenset({"--help", "--quiet", "--json", "--progress", "--null"})


@functools.cache
def table() -> dict[str, dict[str, Any]]:
    """Returns the commands by name: their help, operands and flags."""
    return {command["name"]: command for command in _native.command_table()}


def keyword(flag: str) -> str:
    """Returns the keyword of a flag: ``--max-df`` is ``max_df``."""
    name = flag.lstrip("-").replace("-", "_")
    return name + "_" if name in ("in", "from", "with") else name


@functools.cache
def flags_of(command: str) -> dict[str, dict[str, Any]]:
    """Returns the flags of a command by their keywords."""
    return {
        keyword(flag["name"]): flag
        for flag in table()[command]["flags"]
        if flag["name"] not in _HIDDEN
    }


def words(command: str, options: dict[str, Any]) -> list[str]:
    """Returns the options as words of a command line.

    Raises:
        TypeError: for an option that the command does not have, as Python says it.
    """
    flags = flags_of(command)
    made = []
    for name, value in options.items():
        flag = flags.get(name)
        if flag is None:
            raise TypeError(_unknown(command, name, flags))
        if value is not None:
            made += _words_of(flag, name, value)
    return made


def _words_of(flag: dict[str, Any], keyword_name: str, value: Any) -> list[str]:
    name = flag["name"]
    if not flag["value"]:
        if value is True or value is False:
            return [name] if value else []
        raise TypeError(f"{keyword_name} is True or False, not {value!r}")
    if not isinstance(value, Iterable) or isinstance(value, (str, bytes, os.PathLike)):
        return [f"{name}={_text(value)}"]
    if not flag["list"]:
        raise TypeError(f"{keyword_name} takes one value, not several")
    return [f"{name}={_text(one)}" for one in value]


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return str(value)


def _unknown(command: str, name: str, flags: Iterable[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, flags, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"{command}() got an unexpected keyword argument {name!r}{hint}"


def signature(
    command: str, own: list[inspect.Parameter], leave_out: Iterable[str] = ()
) -> inspect.Signature:
    """Returns the signature: the function's own parameters and all options but some."""
    taken = {parameter.name for parameter in own}.union(leave_out)
    fixed = [p for p in own if p.kind is not inspect.Parameter.VAR_KEYWORD]
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
        for name in flags_of(command)
        if name not in taken
    ]
    return inspect.Signature(fixed + options)


def option_lines(command: str, leave_out: Iterable[str] = ()) -> list[str]:
    """Returns the options of a command as lines of a docstring."""
    left_out = set(leave_out)
    lines = []
    for name, flag in flags_of(command).items():
        if name in left_out:
            continue
        default = f" Default: {flag['default']}." if flag["default"] else ""
        lines.append(f"    {name}: {flag['help']}.{default}")
    return lines


def takes_options(
    command: str, leave_out: Iterable[str] = ()
) -> Callable[[Function], Function]:
    """Gives a function the options of a command: in its signature and its docstring.

    Args:
        command: Whose options they are.
        leave_out: Options that the function does not take.
    """

    def document(function: Function) -> Function:
        own = list(inspect.signature(function).parameters.values())
        head = [inspect.cleandoc(function.__doc__ or ""), "", f"Options, as of ``twinset {command}``:"]
        lines = option_lines(command, [*(p.name for p in own), *leave_out])
        function.__doc__ = "\n".join([*head, *lines])
        function.__signature__ = signature(command, own, leave_out)  # type: ignore[attr-defined]
        return function

    return document

"""The answer on stdout, for programs: JSON with one object a line (quick to write, easy to grep), or YAML."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from hypernode.cli.failure import Failure

_encoded = json.JSONEncoder(check_circular=False).encode
"""Answers hold themselves nowhere; to look for that takes a quarter of the time."""


def write(text: str) -> None:
    """Print the answer."""
    if sys.stdout is None:
        raise Failure("Standard output is closed, so there is nowhere to print the answer.")
    sys.stdout.write(text)


def write_bytes(content: bytes) -> None:
    """Print an answer that is a file."""
    write("")
    sys.stdout.buffer.write(content)


def as_json(value: Any) -> str:
    """JSON text: lists at the top and one level below have a line for each element."""
    if isinstance(value, Mapping):
        rows = [f"{_encoded(key)}: {_lines(one, ' ')}" for key, one in value.items()]
        return "{" + ",\n ".join(rows) + "}\n"
    return _lines(value, "") + "\n"


def as_yaml(value: Any) -> str:
    """The same as one YAML document; what is no letter in a file's name becomes ``?``, for YAML knows letters only."""
    import yaml

    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    plain = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    return str(yaml.dump(plain, Dumper=dumper, sort_keys=False, width=120))


def _lines(value: Any, indent: str) -> str:
    if not isinstance(value, list | tuple) or not value:
        return _encoded(value)
    separator = f",\n{indent} "
    return f"[\n{indent} " + separator.join(map(_encoded, value)) + "]"

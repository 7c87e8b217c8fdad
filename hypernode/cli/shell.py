"""What every command is given: the settings, and a way to talk to people beside the answer."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from hypernode import config
from hypernode.cli.failure import Misuse
from hypernode.config import Settings

DEFAULT_CONFIG = "/etc/hypernode/hypernode.yaml"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Shell:
    """Settings of this run and the voice on stderr."""

    settings: Settings
    verbose: bool = False

    def note(self, text: str) -> None:
        """Tell people something that is not the answer."""
        from hypernode.screen.foreign import clean

        if sys.stderr is not None:  # else print() would take stdout
            with suppress(OSError):  # a remark that nobody can hear is no reason to fail
                print(f"hypernode: {clean(text)}", file=sys.stderr, flush=True)

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """With -v, tell how long the block took."""
        start = time.perf_counter()
        yield
        if self.verbose:
            self.note(f"{what}: {time.perf_counter() - start:.3f} s")


def settings_from(path: str | None) -> Settings:
    """Settings of the file named, else of the default file where present; Misuse where it is missing or wrong."""
    if path is None and not os.path.isfile(DEFAULT_CONFIG):
        return Settings()
    from discovery import recorded  # it brings the probes and NumPy with it, which --help need not wait for

    file = path or DEFAULT_CONFIG
    try:
        text = recorded.read(file, config.MOST_CHARACTERS).decode("utf-8")
        return config.parse(text, file)
    except recorded.Unreadable as error:
        raise Misuse(f"The configuration {file} cannot be read: {error}.", error.hint) from error
    except UnicodeDecodeError as error:
        raise Misuse(f"The configuration {file} is not UTF-8 text.") from error
    except config.ConfigError as error:
        raise Misuse(str(error), error.hint) from error

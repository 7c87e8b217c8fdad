"""The console script: ``hypernode`` and ``python -m hypernode``. The one place where an error becomes a sentence."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from hypernode.screen.foreign import clean

INTERRUPTED = 130
"""128 + SIGINT, as shells expect it."""
PIPE_CLOSED = 141
"""128 + SIGPIPE: whoever read the answer has heard enough."""


def process() -> NoReturn:
    """Run one command and end the process; taking the interpreter apart first would cost as much as starting it."""
    code = main()
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.flush()
    os._exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 answered, 1 refused or failed, 2 misused."""
    # A one-shot run lives for less than a collection is worth; one thread saves OpenBLAS half of its start-up time.
    gc.disable()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal may know fewer letters than a host's name has
    try:
        code = _answered(sys.argv[1:] if argv is None else argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except (MemoryError, ImportError):  # also while the sentence was being made: no module may be needed any more
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stderr.write("hypernode: There is not enough memory for this input.\n")
        return 1
    except BrokenPipeError:
        _forget_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        _forget_output()
        return INTERRUPTED
    except OSError as error:
        _forget_output()
        return _told(f"The answer could not be written: {error.strerror or error}.", "Print it elsewhere.")


def _answered(argv: Sequence[str]) -> int:
    from hypernode.cli import entry
    from hypernode.cli.failure import Failure

    try:
        return entry.run(argv)
    except SystemExit as leaving:  # argparse has printed help or a version
        return int(leaving.code or 0)
    except Failure as failure:
        return _told(str(failure), failure.hint, failure.code)
    except (BrokenPipeError, KeyboardInterrupt, MemoryError):
        raise
    except OSError as error:
        if error.filename is None:
            raise
        return _told(f"{os.fsdecode(error.filename)}: {error.strerror or error}.")
    except ImportError as error:
        return _told(f"A part of hypernode cannot be loaded: {error}.", "Is it installed whole? Is there memory left?")
    except Exception as defect:  # the last wall: whatever happens, nobody meets a traceback
        return _told(f"This is a bug of hypernode: {_where(defect)}.", "Please report it with command and input.")


def _where(defect: Exception) -> str:
    trace = defect.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}" if trace else "somewhere"
    return f"{type(defect).__name__} at {place}: {defect}"


def _told(message: str, hint: str = "", code: int = 1) -> int:
    if sys.stderr is None:  # closed by the caller; print() would take stdout instead
        return code
    # Where nobody listens or no memory is left, the exit code is all that there is to say.
    with contextlib.suppress(OSError, ValueError, MemoryError, ImportError):
        print(f"hypernode: {clean(message, 1000)}", file=sys.stderr)
        if hint:
            print(f"Hint: {clean(hint, 1000)}", file=sys.stderr)
    return code


def _forget_output() -> None:
    """Point stdout nowhere, so that the interpreter's own last flush cannot fail loudly."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


if __name__ == "__main__":
    process()

"""The answer on stdout and nothing else there; closed pipes, full disks and Ctrl-C end quietly."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import drawn
from tests.conftest import ROOT, Run


def test_timings_go_to_stderr(hypernode: Run, capture: Path) -> None:
    quiet = hypernode("discover", "--from", capture, "-o", "json")
    before = hypernode("-v", "discover", "--from", capture, "-o", "json")
    after = hypernode("discover", "--from", capture, "-o", "json", "-v")
    assert quiet.stdout == before.stdout == after.stdout
    assert quiet.stderr == ""
    parts = ["find", "parse", "adapters", "join", "infer", "name", "print"]
    for told in (before.stderr, after.stderr):
        assert [line.split(":")[1].strip() for line in told.splitlines()] == parts


def test_a_full_disk_is_a_sentence(hypernode: Run, capture: Path) -> None:
    with Path("/dev/full").open("w") as full:
        result = hypernode(
            "discover", "--from", capture, "-o", "json", capture_output=False, stdout=full, stderr=subprocess.PIPE
        )
    assert result.returncode == 1
    assert "could not be written: No space left" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("form", [pytest.param("json", id="json"), pytest.param("table", id="table")])
def test_a_reader_that_leaves_is_no_error(hypernode: Run, tmp_path: Path, form: str) -> None:
    capture = drawn(tmp_path / "large")
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        result = hypernode(
            "discover", "--from", capture, "-o", form, capture_output=False, stdout=pipe, stderr=subprocess.PIPE
        )
    assert (result.returncode, result.stderr) == (141, "")


@pytest.mark.parametrize("form", [pytest.param("json", id="json"), pytest.param("table", id="table")])
def test_closed_output_is_a_sentence(capture: Path, form: str) -> None:
    line = f'exec "{sys.executable}" -m hypernode discover --from "{capture}" -o {form} >&-'
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run(["sh", "-c", line], env=env, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert result.returncode == 1
    assert "tandard output is closed" in result.stderr


@pytest.mark.parametrize("words", [pytest.param("-v status --store no", id="failure"), pytest.param("-v", id="misuse")])
def test_closed_error_output_leaves_the_answer_alone(words: str) -> None:
    line = f'exec "{sys.executable}" -m hypernode {words} 2>&-'
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run(["sh", "-c", line], env=env, stdout=subprocess.PIPE, text=True, timeout=60, check=False)
    assert (result.returncode in (1, 2), result.stdout) == (True, "")


@pytest.mark.parametrize("megabytes", [pytest.param(size, id=str(size)) for size in (90, 100, 110)])
def test_too_little_memory_is_no_traceback(hypernode: Run, capture: Path, megabytes: int) -> None:
    most = megabytes << 20
    words = ("discover", "--from", capture)
    result = hypernode(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)))
    assert result.returncode in (0, 1)
    assert "Traceback" not in result.stderr


def test_ctrl_c_is_quiet(tmp_path: Path) -> None:
    """A fabric large enough to be at work when the signal comes, which the first word on stderr tells."""
    words = ["-v", "simulate", "rail", "--hosts", "2048", "--rails", "8", "--out", str(tmp_path / "x")]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "hypernode", *words]
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "draw" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        assert process.wait(timeout=60) in (130, 0)
    assert "Traceback" not in rest


HEAVY = {
    *("rich", "yaml", "asyncio", "email", "http", "unittest", "hypothesis", "importlib.metadata", "difflib"),
    *("pathlib", "urllib.parse", "ipaddress", "shutil", "bz2", "lzma", "tempfile", "subprocess", "logging"),
    *("numpy.random", "numpy.fft", "numpy.polynomial", "numpy.typing", "unicodedata", "random"),
}
"""What has no part in reading a file and printing JSON; most of it would make each start longer by a millisecond."""


def test_no_tables_no_yaml_and_no_event_loop_for_json(hypernode: Run, capture: Path) -> None:
    """Start-up time counts: what is not needed is not imported."""
    program = (
        "import sys, numpy\nanyway = set(sys.modules)\nfrom hypernode.__main__ import main\n"
        f"code = main(['discover', '--from', {str(capture)!r}, '-o', 'json'])\n"
        f"print(code, sorted({HEAVY!r} & set(sys.modules) - anyway), file=sys.stderr)\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=False)
    assert result.stderr == "0 []\n"

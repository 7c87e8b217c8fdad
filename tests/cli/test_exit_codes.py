"""Exit codes: 0 answered, 1 refused or failed, 2 misused; whatever happens is one sentence and no traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conftest import Run


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param([], "Which command?", id="no-command"),
        pytest.param(["discovr"], "Did you mean discover?", id="misspelled-command"),
        pytest.param(["--bogus"], "Unrecognized arguments: --bogus", id="unknown-option"),
        pytest.param(["discover"], "required: --from", id="no-source"),
        pytest.param(["discover", "--fro", "x"], "required: --from", id="no-abbreviation"),
        pytest.param(["discover", "--from", "missing.txt"], "missing.txt: no such file", id="missing-path"),
        pytest.param(["discover", "--from", ""], "'': no such file", id="empty-path"),
        pytest.param(["discover", "--from", "capture", "--nodes", ""], "'': no such file", id="empty-nodes"),
        pytest.param(["apply", "--from", "capture", "--store", ""], "--store names no folder", id="empty-store"),
        pytest.param(
            ["simulate", "rail", "--hosts", "4", "--force", "--out", "pipe"], "no regular", id="simulate-pipe"
        ),
        pytest.param(["observe", "missing.txt"], "missing.txt: no such file", id="observe-missing-path"),
        pytest.param(["discover", "--from", "capture", "--nodes", "no.txt"], "no.txt: no such file", id="no-nodes"),
        pytest.param(["discover", "--from", "capture", "--nodes", "bad.txt"], "line 1 is no node name", id="bad-nodes"),
        pytest.param(["discover", "--from", "capture", "-o", "xml"], "invalid choice: 'xml'", id="unknown-format"),
        pytest.param(["discover", "--from", "capture", "--config", "no.yaml"], "no.yaml cannot be read", id="config"),
        pytest.param(["discover", "--from", "capture", "--config", "bad.yaml"], "unknown key 'tears'", id="bad-config"),
        pytest.param(["plan"], "required: --from", id="plan-without-source"),
        pytest.param(["apply"], "required: --from", id="apply-without-source"),
        pytest.param(["status", "--kubeconfig", "k"], "comes with the controller", id="cluster-not-yet"),
        pytest.param(["status", "--store", "bad.txt"], "bad.txt is no folder", id="store-is-a-file"),
        pytest.param(["why", "--from", "capture"], "Which node?", id="why-whom"),
        pytest.param(["simulate", "bogus", "--hosts", "4"], "bogus", id="unknown-kind"),
        pytest.param(["simulate", "rail", "--hosts", "4", "--fault", "bogus"], "bogus", id="unknown-fault"),
        pytest.param(["simulate", "rail", "--hosts", "many"], "invalid int value: 'many'", id="hosts-is-a-word"),
        pytest.param(["simulate", "rail", "--hosts", "8", "--format", "capture"], "--out", id="folder-needed"),
    ],
)
def test_misuse_is_exit_2(hypernode: Run, capture: Path, words: list[str], told: str) -> None:
    (capture.parent / "bad.txt").write_text("not a node\n")
    (capture.parent / "bad.yaml").write_text("tears: [leaf]\n")
    os.mkfifo(capture.parent / "pipe")
    result = hypernode(*words)
    assert (result.returncode, result.stdout) == (2, "")
    assert told in result.stderr
    assert result.stderr.startswith("hypernode: ")
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param(["discover", "--from", "notes.md"], "notes.md: it is no kind of output", id="unknown-file"),
        pytest.param(["observe", "notes.md"], "notes.md: it is no kind of output", id="observe-unknown-file"),
        pytest.param(["discover", "--from", "capture", "notes.md"], "notes.md: it is no kind", id="beside-good"),
        pytest.param(["discover", "--from", "empty"], "no ibnetdiscover output below empty", id="empty-folder"),
        pytest.param(["discover", "--from", "capture/hosts"], "only infiniband-sysfs was found", id="hosts-alone"),
        pytest.param(["discover", "--from", "fabric.txt.gz"], "it is compressed", id="compressed"),
        pytest.param(["discover", "--from", "/dev/null"], "it is no regular file", id="device"),
        pytest.param(["status", "--store", "nowhere"], "Nothing is published in nowhere", id="no-store"),
        pytest.param(["why", "dgx-001", "--store", "nowhere"], "Nothing is published", id="why-without-store"),
        pytest.param(["why", "\udcff", "--from", "capture"], "There is no node", id="node-that-is-no-text"),
        pytest.param(["why", "dgx-0O1", "--from", "capture"], "Did you mean dgx-0", id="unknown-node"),
    ],
)
def test_refusal_is_exit_1(hypernode: Run, capture: Path, words: list[str], told: str) -> None:
    (capture.parent / "notes.md").write_text("# Notes\n")
    (capture.parent / "empty").mkdir()
    (capture.parent / "fabric.txt.gz").write_bytes(b"\x1f\x8b\x08\0\0\0\0\0\0\3")
    result = hypernode(*words)
    assert (result.returncode, result.stdout) == (1, "")
    assert told in result.stderr
    assert "Traceback" not in result.stderr


def test_a_cluster_is_never_written_to_by_accident(hypernode: Run, capture: Path) -> None:
    result = hypernode("apply", "--from", capture, env={"KUBECONFIG": "/some/config"})
    assert result.returncode == 2
    assert "KUBECONFIG" in result.stderr


@pytest.mark.parametrize("words", [pytest.param(["--version"], id="version"), pytest.param(["--help"], id="help")])
def test_questions_about_the_command_itself(hypernode: Run, words: list[str]) -> None:
    result = hypernode(*words)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.count("hypernode") >= 1

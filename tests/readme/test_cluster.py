"""The page on clusters keeps its promises: its commands parse, its round runs, its snippets are valid."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from discovery.simulate.simulation import render, simulate
from hypernode.cli import entry
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")
PAGE = (ROOT / "docs" / "cluster.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
SCRIPTS = [text for kind, text in BLOCKS if kind == "sh"]
UNITS = dict(re.findall(r"^`/etc/systemd/system/([\w.]+)`:\n\n```ini\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))
ROUND = next(text for text in SCRIPTS if text.startswith("#!/bin/sh"))
SHELL_ENDS = ("||", "|", ">", "2>", ";")


def commands(text: str) -> list[list[str]]:
    """The words of each ``hypernode`` command in a shell script or between backquotes."""
    found = []
    for line in text.replace("\\\n", " ").splitlines():
        command, hit, rest = line.partition("hypernode ")
        if hit and command.strip() in ("", ".venv/bin/"):
            words = shlex.split(rest, comments=True)
            ends = [words.index(end) for end in SHELL_ENDS if end in words]
            found.append(words[: min(ends, default=len(words))])
    return found


def whole_commands(page: str) -> list[list[str]]:
    """All of a page, apart from those that are only hinted at, like ``hypernode observe PATH…``."""
    scripts = re.findall(r"^```sh\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    prose = re.sub(r"^```.*?^```$", "", page, flags=re.DOTALL | re.MULTILINE)
    spans = [span.replace("\n", " ") for span in re.findall(r"`(hypernode [^`]+)`", prose)]
    texts = [*scripts, *(span for span in spans if "…" not in span and "[" not in span)]
    return [words for text in texts for words in commands(text)]


@pytest.mark.parametrize("page", [pytest.param(README, id="readme"), pytest.param(PAGE, id="cluster")])
def test_each_command_is_one_that_the_real_parser_takes(page: str) -> None:
    found = whole_commands(page)
    assert len(found) > 5
    for name, *words in found:
        assert name in entry.COMMANDS
        _, parser = entry.loaded(name)
        if words not in (["--help"], ["KIND", "--hosts", "N"]):
            parser.parse_args(words)


@pytest.mark.parametrize("text", [pytest.param(text, id=f"block-{place}") for place, text in enumerate(SCRIPTS)])
def test_each_script_is_a_shell_script(text: str) -> None:
    subprocess.run(["sh", "-n"], input=text, text=True, check=True)


def test_the_readme_leads_here_and_this_page_names_real_places() -> None:
    assert "(docs/cluster.md)" in README
    assert set(UNITS) == {"hypernode.service", "hypernode.timer"}
    place = re.search(r"The round, as `(/[\w/-]+)`", PAGE)
    assert place is not None
    assert f"ExecStart={place[1]}\n" in UNITS["hypernode.service"]
    for folder in ("RuntimeDirectory=hypernode\n", "StateDirectory=hypernode hypernode-hosts\n"):
        assert folder in UNITS["hypernode.service"]


def test_the_rights_are_kubernetes_objects() -> None:
    rights = next(text for kind, text in BLOCKS if kind == "yaml")
    objects = list(yaml.safe_load_all(rights))
    assert [one["kind"] for one in objects] == ["ServiceAccount", "Secret", "ClusterRole", "ClusterRoleBinding"]
    assert all(one["metadata"]["name"].startswith("hypernode") for one in objects)
    assert objects[2]["rules"][1]["apiGroups"] == ["topology.volcano.sh"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for name, text in UNITS.items():
        (tmp_path / name).write_text(re.sub(r"^ExecStart=.*$", "ExecStart=/bin/true", text, flags=re.MULTILINE))
    words = ["systemd-analyze", "verify", "--man=no", *sorted(map(str, tmp_path.iterdir()))]
    result = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert (result.returncode, [line for line in result.stderr.splitlines() if str(tmp_path) in line]) == (0, [])


def stand_in(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine of the fabric: a recorded sweep in place of the network, and a cluster that only writes down."""
    for folder in ("bin", "run/hypernode", "var/lib/hypernode-hosts/hosts"):
        (tmp_path / folder).mkdir(parents=True)
    (text,) = render(simulate("rail", hosts=16, rails=2, seed=3), "ibnetdiscover").values()
    (tmp_path / "subnet").write_bytes(text)
    (tmp_path / "listed").write_text("".join(f"node/dgx-{number:03}\n" for number in range(1, 17)))
    stand_in(tmp_path / "bin", "ibnetdiscover", f'cat "{tmp_path}/subnet"')
    stand_in(tmp_path / "bin", "hypernode", f'exec "{sys.executable}" -m hypernode "$@"')
    told = f'cat "{tmp_path}/listed";; apply) echo "$@" > "{tmp_path}/applied"'
    stand_in(tmp_path / "bin", "kubectl", f"case $1 in get) {told};; esac")
    return tmp_path


def ran(machine: Path, script: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs a script of the page with the machine's folders in place of the system's."""
    script = script.replace("/run/", f"{machine}/run/").replace("/var/lib/", f"{machine}/var/lib/")
    env = {**os.environ, "PATH": f"{machine / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    env |= {"KUBECONFIG": "/nonexistent"}
    words = ["sh", *options, "-c", script]
    return subprocess.run(words, cwd=machine, env=env, capture_output=True, text=True, timeout=60, check=False)


def test_a_round_publishes_and_hands_the_store_to_kubectl(machine: Path) -> None:
    assert ran(machine, ROUND).returncode == 0
    assert sorted(path.name.split("-")[0] for path in (machine / "var/lib/hypernode").glob("*.yaml"))[0] == "leaf"
    assert f"--filename {machine}/var/lib/hypernode --prune" in (machine / "applied").read_text()


def test_a_refused_round_fails_but_brings_the_rest_to_the_cluster(machine: Path) -> None:
    assert ran(machine, ROUND).returncode == 0
    before = sorted((machine / "var/lib/hypernode").glob("*.yaml"))
    (machine / "applied").unlink()
    (text,) = render(simulate("rail", hosts=8, rails=2, seed=3), "ibnetdiscover").values()
    (machine / "subnet").write_bytes(text)
    assert ran(machine, ROUND).returncode == 1
    assert set(before) <= set((machine / "var/lib/hypernode").glob("*.yaml"))
    assert (machine / "applied").exists()


@pytest.mark.parametrize("deaf", ["ibnetdiscover", "kubectl"])
def test_a_round_that_hears_nothing_changes_nothing(machine: Path, deaf: str) -> None:
    stand_in(machine / "bin", deaf, "exit 1")
    assert ran(machine, ROUND).returncode == 1
    assert not (machine / "var/lib/hypernode").exists()


def test_what_is_recorded_on_a_node_is_what_is_read(machine: Path) -> None:
    """The copy runs on a /sys whose device is a link, as it is in real ones."""
    text = next(script for script in SCRIPTS if "ssh -n" in script)
    device = machine / "root/sys/devices/mlx5_0"
    device.mkdir(parents=True)
    (device / "node_guid").write_text("0c42:a103:00a7:1a10\n")
    (device / "sys_image_guid").write_text("0c42:a103:00a7:1a10\n")
    (machine / "root/sys/class/infiniband").mkdir(parents=True)
    (machine / "root/sys/class/infiniband/mlx5_0").symlink_to("../../devices/mlx5_0")
    (machine / "run/hypernode/nodes").write_text("dgx-001\n")
    stand_in(machine / "bin", "ssh", f'shift 2; exec sh -c "$(echo "$1" | sed "s,cd /,cd {machine}/root,")"')
    result = ran(machine, text, "-e")
    assert (result.returncode, result.stderr) == (0, "")
    assert "1 adapter of 1 host" in result.stdout

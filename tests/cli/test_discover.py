"""discover: the stable JSON, YAML for kubectl, and a tree on one screen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from discovery.simulate.simulation import simulate
from tests.cli.conftest import drawn
from tests.conftest import Run


def answer(hypernode: Run, *words: str | Path) -> dict[str, list[dict[str, object]]]:
    result = hypernode("discover", *words, "-o", "json")
    assert (result.returncode, result.stderr) == (0, "")
    told = json.loads(result.stdout)
    assert list(told) == ["hypernodes", "unplaced", "findings", "fabrics"]
    return told


def members(told: dict[str, list[dict[str, object]]], tier: str) -> list[list[str]]:
    return sorted(
        [member["selector"]["exactMatch"]["name"] for member in one["spec"]["members"]]
        for one in told["hypernodes"]
        if one["spec"]["tierName"] == tier
    )


def placed(told: dict[str, list[dict[str, object]]]) -> list[str]:
    return sorted(name for group in members(told, "leaf") for name in group)


def test_json_has_the_tree_and_everything_beside_it(hypernode: Run, capture: Path) -> None:
    told = answer(hypernode, "--from", capture)
    wiring = simulate("rail", hosts=16, rails=4, seed=7, faults=["dead-hca-link=1"])
    assert members(told, "leaf") == [list(group) for group in wiring.truth(guids_known=True).tiers[0]]
    assert told["unplaced"] == []
    assert {"kind", "severity", "objects", "message", "hint"} <= told["findings"][0].keys()
    (fabric,) = told["fabrics"]
    switches = sum(one.level != "" for one in wiring.devices)
    assert (fabric["kind"], fabric["switches"], fabric["hosts"]) == ("infiniband", switches, 16)


def test_yaml_is_ready_for_kubectl(hypernode: Run, capture: Path) -> None:
    result = hypernode("discover", "--from", capture, "-o", "yaml")
    documents = list(yaml.safe_load_all(result.stdout))
    assert documents == answer(hypernode, "--from", capture)["hypernodes"]
    assert {one["kind"] for one in documents} == {"HyperNode"}
    source = "volcano.sh/network-topology-source"
    assert {one["metadata"]["labels"][source] for one in documents} == {"hypernode-autogen"}


def test_parts_of_a_capture_are_read_like_the_whole(hypernode: Run, capture: Path) -> None:
    whole = answer(hypernode, "--from", capture)
    parts = answer(hypernode, "--from", capture / "fabric/ibnetdiscover.txt", capture / "hosts")
    again = answer(hypernode, "--from", capture / "hosts", "--from", capture / "fabric", capture)
    for other in (parts, again):
        assert other["hypernodes"] == whole["hypernodes"]
        assert other["findings"] == whole["findings"]


def test_a_list_of_nodes_decides_who_is_a_node(hypernode: Run, capture: Path, tmp_path: Path) -> None:
    everyone = placed(answer(hypernode, "--from", capture))
    (tmp_path / "few.txt").write_text("\n".join([*everyone[:4], "ghost"]))
    told = answer(hypernode, "--from", capture, "--nodes", tmp_path / "few.txt")
    assert placed(told) == sorted(everyone[:4])
    assert [one["node"] for one in told["unplaced"]] == ["ghost"]


def test_an_unknown_file_in_a_folder_is_a_finding(hypernode: Run, capture: Path) -> None:
    (capture / "README").write_text("where this comes from")
    (capture / ".hidden").write_text("nobody's business")
    found = [one for one in answer(hypernode, "--from", capture)["findings"] if one["kind"] == "unrecognised-file"]
    assert [one["objects"] for one in found] == [[f"{capture}/README"]]


def test_tier_names_come_from_the_configuration(hypernode: Run, capture: Path, tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text("tiers: [su, pod]\n")
    told = answer(hypernode, "--from", capture, "--config", tmp_path / "c.yaml")
    assert {one["spec"]["tierName"] for one in told["hypernodes"]} == {"su", "pod"}


def test_the_tree_on_screen(hypernode: Run, capture: Path) -> None:
    result = hypernode("discover", "--from", capture)
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert "16 hosts" in lines[0]
    assert sum(line.startswith(("├── leaf-", "└── leaf-")) for line in lines) == 4
    assert "Findings: " in result.stdout
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize(
    "env",
    [
        pytest.param({"PYTHONIOENCODING": "ascii"}, id="ascii-output"),
        pytest.param({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, id="c-locale"),
        pytest.param({"COLUMNS": "20"}, id="narrow"),
        pytest.param({"TERM": "dumb", "NO_COLOR": "1"}, id="dumb-terminal"),
        pytest.param({"FORCE_COLOR": "1"}, id="forced-colour"),
    ],
)
def test_any_terminal_will_do(hypernode: Run, capture: Path, env: dict[str, str]) -> None:
    result = hypernode("discover", "--from", capture, env=env)
    assert (result.returncode, result.stderr) == (0, "")
    assert "leaf-" in result.stdout


def test_a_large_fabric_fits_some_screens(hypernode: Run, tmp_path: Path) -> None:
    hypernode("simulate", "rail", "--hosts", "4096", "--rails", "1", "--format", "ibnetdiscover", "--out", "large.txt")
    told = hypernode("discover", "--from", "large.txt")
    assert told.returncode == 0
    assert 10 < len(told.stdout.splitlines()) < 160
    assert "more with" in told.stdout
    everything = hypernode("discover", "--from", "large.txt", "--all")
    assert everything.stdout.count("leaf-") >= 128


def test_several_planes_are_one_fabric(hypernode: Run, tmp_path: Path) -> None:
    folder = drawn(tmp_path / "planes", kind="planes", form="ibnetdiscover")
    told = answer(hypernode, "--from", *sorted(folder.iterdir()))
    assert len(placed(told)) == 16

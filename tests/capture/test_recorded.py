"""The door to recorded files: finds what a capture holds, and is neither blocked nor led astray."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from discovery.capture import Kind
from discovery.recorded import Unreadable, exists, find, node_files, node_list, read

RECORD = b'switchguid=0x2c5eab0300b87b40(2c5eab0300b87b40)\nSwitch\t65 "S-2c5eab0300b87b40"\t\t# "x" lid 7 lmc 0\n'


def write(path: Path, content: bytes = RECORD) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    write(tmp_path / "cap/fabric/ibnetdiscover-a.txt")
    write(tmp_path / "cap/hosts/n1/ibnetdiscover.txt", RECORD + b"\n")
    write(tmp_path / "cap/hosts/n1/sys/class/infiniband/mlx5_0/node_guid", b"0c42:a103:00aa:0070\n")
    write(tmp_path / "cap/hosts/n1/sys/class/infiniband/mlx5_0/ports/1/counters/port_rcv_data", b"0\n")
    write(tmp_path / "cap/hosts/n1/sys/class/net/eth0/address", b"00:11:22:33:44:55\n")
    write(tmp_path / "cap/switches/sw1/snmpwalk.txt", b".1.3.6.1.2.1.1.5.0 = STRING: sw1\n")
    write(tmp_path / "cap/nodes.txt", b"n1\n")
    return tmp_path / "cap"


def seen(*paths: Path) -> list[tuple[str, str | None]]:
    return [(entry.kind.value, entry.node) for entry in find(map(str, paths)).entries]


def test_what_exists(tmp_path: Path) -> None:
    """A path that is there and cannot be used is not missing: its own sentence says why."""
    write(tmp_path / "file")
    (tmp_path / "round").symlink_to("round")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "link").symlink_to("file")
    names = [".", "file", "link", "round", "dangling", "missing", "file/below", "x" * 300]
    assert [name[:8] for name in names if exists(str(tmp_path / name))] == [".", "file", "link", "xxxxxxxx"]
    assert not exists("")


def test_a_path_too_long_has_its_sentence(tmp_path: Path) -> None:
    (trouble,) = find([str(tmp_path / ("x" * 300))]).troubles
    assert (trouble.named, trouble.reason) == (True, "file name too long")


def test_a_whole_capture(capture: Path) -> None:
    assert seen(capture) == [
        ("ibnetdiscover", None),
        ("ibnetdiscover", "n1"),
        ("infiniband-sysfs", "n1"),
        ("net-sysfs", "n1"),
        ("snmp", None),
    ]
    assert find([str(capture)]).troubles == ()


@pytest.mark.parametrize(
    ("part", "kinds"),
    [
        pytest.param("fabric", {"ibnetdiscover"}, id="fabric"),
        pytest.param("hosts", {"ibnetdiscover", "infiniband-sysfs", "net-sysfs"}, id="hosts"),
        pytest.param("hosts/n1", {"ibnetdiscover", "infiniband-sysfs", "net-sysfs"}, id="one-host"),
        pytest.param("switches", {"snmp"}, id="switches"),
        pytest.param("fabric/ibnetdiscover-a.txt", {"ibnetdiscover"}, id="one-file"),
        pytest.param("hosts/n1/sys/class/infiniband/mlx5_0/node_guid", {"infiniband-sysfs"}, id="one-attribute"),
    ],
)
def test_a_part_of_a_capture(capture: Path, part: str, kinds: set[str]) -> None:
    found = seen(capture / part)
    assert {kind for kind, _ in found} == kinds
    if part.startswith("hosts"):
        assert {node for _, node in found} == {"n1"}


@pytest.mark.parametrize(
    ("part", "has_list"),
    [
        pytest.param(".", True, id="capture"),
        pytest.param("fabric", True, id="fabric"),
        pytest.param("hosts", True, id="hosts"),
        pytest.param("hosts/n1", True, id="one-host"),
        pytest.param("fabric/ibnetdiscover-a.txt", False, id="one-file"),
    ],
)
def test_the_list_of_nodes_belongs_to_the_capture(capture: Path, part: str, has_list: bool) -> None:
    expected = (str(capture / "nodes.txt"),) if has_list else ()
    assert node_files([str(capture / part), str(capture / part)]) == expected


def test_no_file_comes_up_twice(capture: Path) -> None:
    os.link(capture / "fabric/ibnetdiscover-a.txt", capture / "fabric/again.txt")
    (capture / "fabric/link.txt").symlink_to("ibnetdiscover-a.txt")
    both = find([str(capture), str(capture / "fabric"), str(capture / "fabric/ibnetdiscover-a.txt")])
    assert len(both.entries) == 5


def test_links_that_go_in_circles_or_away_are_not_followed(capture: Path, tmp_path: Path) -> None:
    write(tmp_path / "secret/ibnetdiscover.txt", RECORD + b"\n\n")
    (capture / "fabric/up").symlink_to(capture)
    (capture / "fabric/self").symlink_to("self")
    (capture / "fabric/away").symlink_to(tmp_path / "secret")
    (capture / "fabric/gone").symlink_to("nothing")
    recording = find([str(capture)])
    assert len(recording.entries) == 5
    reasons = {Path(trouble.path).name: trouble.reason for trouble in recording.troubles}
    assert reasons == {
        "self": "it is a link that leads nowhere",
        "away": "it is a link that leads out of the folder",
        "gone": "it is a link that leads nowhere",
    }


def test_a_copied_sys_is_walked_by_its_classes_only(tmp_path: Path) -> None:
    """As the kernel lays it out: classes hold links to devices, devices hold links to everything."""
    sys = tmp_path / "hosts" / "n1" / "sys"
    for number in (0, 1):
        pci = sys / f"devices/pci0000:00/0000:00:0{number}.0"
        write(pci / f"infiniband/mlx5_{number}/node_guid", f"0c42:a103:00aa:007{number}\n".encode())
        write(pci / f"infiniband/mlx5_{number}/hw_counters/x", b"0\n")
        (pci / f"infiniband/mlx5_{number}/device").symlink_to(pci)
        (pci / "subsystem").symlink_to(sys / "devices")
        (sys / "class/infiniband").mkdir(parents=True, exist_ok=True)
        (sys / f"class/infiniband/mlx5_{number}").symlink_to(pci / f"infiniband/mlx5_{number}")
    (sys / "class/infiniband/mlx5_9").symlink_to("../../devices/not-copied")
    write(sys / "class/dmi/id/product_name", b"DGX\n")
    for path in (tmp_path, tmp_path / "hosts", sys.parent, sys, sys / "class", sys / "class/infiniband"):
        recording = find([str(path)])
        places = [entry.place.split("/sys/")[1] for entry in recording.entries]
        assert places == ["class/infiniband/mlx5_0/node_guid", "class/infiniband/mlx5_1/node_guid"]
        assert {entry.node for entry in recording.entries} == {"n1"}
        assert recording.troubles == ()


def test_nothing_that_could_block_is_opened(capture: Path) -> None:
    os.mkfifo(capture / "fabric/pipe")
    (trouble,) = find([str(capture)]).troubles
    assert (trouble.path, trouble.reason) == (f"{capture}/fabric/pipe", "it is no regular file")
    (named,) = find(["/dev/zero"]).troubles
    assert named.named
    with pytest.raises(Unreadable, match="no regular file"):
        read(str(capture / "fabric/pipe"))


def test_a_file_beyond_the_bound_is_refused(tmp_path: Path) -> None:
    sparse = tmp_path / "huge"
    with sparse.open("wb") as file:
        file.truncate(1 << 31)
    with pytest.raises(Unreadable, match="larger than 1,073,741,824 bytes"):
        read(str(sparse))


@pytest.mark.parametrize(
    ("content", "reason", "known"),
    [
        pytest.param(b"hello\n", "it is no kind of output that we know", False, id="text"),
        pytest.param(bytes(range(256)), "it is no kind of output that we know", False, id="binary"),
        pytest.param(b"", "it is no kind of output that we know", False, id="empty"),
        pytest.param(b"\x1f\x8b\x08\0\0", "it is compressed", True, id="gzip"),
    ],
)
def test_what_is_not_read_is_told(tmp_path: Path, content: bytes, reason: str, known: bool) -> None:
    path = write(tmp_path / "x", content)
    (trouble,) = find([str(path)]).troubles
    assert (trouble.reason, trouble.known, trouble.named) == (reason, known, True)
    (trouble,) = find([str(tmp_path)]).troubles
    assert (trouble.reason, trouble.known, trouble.named) == (reason, known, False)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_told(tmp_path: Path) -> None:
    path = write(tmp_path / "x")
    path.chmod(0)
    (trouble,) = find([str(path)]).troubles
    assert trouble.reason == "permission denied"


def test_file_names_may_be_hostile(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xff\x1b[2J.txt"
    Path(os.fsdecode(name)).write_bytes(RECORD)
    (entry,) = find([str(tmp_path)]).entries
    assert entry.kind is Kind.IBNETDISCOVER
    assert read(entry.path) == RECORD


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(b"n1\nbad name\n", "line 2 is no node name: 'bad name'", id="blank-inside"),
        pytest.param(b"n1\n\x1b[2J\n", "line 2 is no node name", id="control-character"),
        pytest.param(b"\xff\xfe", "not UTF-8", id="not-utf-8"),
        pytest.param(b"# nothing\n", "names no node", id="only-comments"),
    ],
)
def test_a_list_of_nodes_that_cannot_be_trusted(tmp_path: Path, content: bytes, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        node_list(str(write(tmp_path / "nodes.txt", content)))

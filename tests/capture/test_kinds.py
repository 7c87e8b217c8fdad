"""What a recorded file is, judged by its content alone, and where it stands in a capture."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discovery.capture import Kind, host_of, kind_of, node_names

SWITCH = b'switchguid=0x2c5eab0300b87b40(2c5eab0300b87b40)\nSwitch\t65 "S-2c5eab0300b87b40"\t\t# "x" lid 7 lmc 0\n'


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        pytest.param(SWITCH, Kind.IBNETDISCOVER, id="record"),
        pytest.param(b"\xef\xbb\xbf" + SWITCH, Kind.IBNETDISCOVER, id="byte-order-mark"),
        pytest.param(("\ufeff" + SWITCH.decode()).encode("utf-16-le"), Kind.IBNETDISCOVER, id="utf-16"),
        pytest.param(b"[root@ufm ~]# ibnetdiscover\n" + SWITCH, Kind.IBNETDISCOVER, id="prompt-first"),
        pytest.param(b'Switch 8 "Switch1"\n[1] "Hca1"[1]\n', Kind.IBNETDISCOVER, id="ibsim"),
        pytest.param(b"CA     1  1 0x506b4b0300cc02a6 4x EDR - SW 2 1 0x7cfe9003009ce5b0 ( 'a' - 'b' )\n",
                     Kind.IBNETDISCOVER, id="port-list"),
        pytest.param(b'{"lldp": {"interface": []}}', Kind.LLDP, id="lldpctl-json"),
        pytest.param(b'<?xml version="1.0"?>\n<lldp label="LLDP neighbors"/>', Kind.LLDP, id="lldpctl-xml"),
        pytest.param(b"lldp.eth0.via=LLDP\nlldp.eth0.chassis.name=sw1\n", Kind.LLDP, id="lldpctl-keyvalue"),
        pytest.param(b"\xd4\xc3\xb2\xa1\x02\x00\x04\x00", Kind.LLDP, id="pcap"),
        pytest.param(b"0180c200000e0004961f50a288cc0207040004961f50\n", Kind.LLDP, id="hex-frame"),
        pytest.param(b".1.3.6.1.2.1.1.5.0 = STRING: sw1\n", Kind.SNMP, id="snmpwalk"),
        pytest.param(b"iso.3.6.1.2.1.1.5.0 = STRING: sw1\n", Kind.SNMP, id="snmpwalk-iso"),
        pytest.param(b"1.3.6.1.2.1.1.5.0|4|sw1\n", Kind.SNMP, id="snmprec"),
        pytest.param(b"<nvidia_smi_log>\n", Kind.NVIDIA_SMI, id="nvidia-smi-xml"),
        pytest.param(b"\tGPU0\tGPU1\tNIC0\nGPU0\t X \tNV18\tPIX\n", Kind.NVIDIA_SMI, id="nvidia-smi-topo"),
        pytest.param(b'[{"system_guid": "1", "peer_node_name": "x"}]', Kind.UFM, id="ufm"),
        pytest.param(b"node001\nnode002\n", Kind.UNKNOWN, id="node-list"),
        pytest.param(b"apiVersion: v1\nkind: Node\n", Kind.UNKNOWN, id="yaml"),
        pytest.param(b"# Switch port plan\nsee wiki\n", Kind.UNKNOWN, id="notes"),
        pytest.param(b"", Kind.UNKNOWN, id="empty"),
        pytest.param(bytes(range(256)) * 8, Kind.UNKNOWN, id="binary"),
    ],
)
def test_content_tells_the_kind(head: bytes, kind: Kind) -> None:
    assert kind_of(head) is kind


@given(st.binary(max_size=400))
def test_any_bytes_are_of_some_kind(head: bytes) -> None:
    assert kind_of(head) in Kind


@pytest.mark.parametrize(
    ("place", "node"),
    [
        pytest.param("cap/hosts/n1/ibnetdiscover.txt", "n1", id="file-of-a-host"),
        pytest.param("hosts/n1/sys/class/infiniband/mlx5_0/node_guid", "n1", id="sysfs-of-a-host"),
        pytest.param("a/n1/sys/class/infiniband/mlx5_0/node_guid", "n1", id="host-folder-alone"),
        pytest.param("hosts/cap/hosts/n1/lldpctl.json", "n1", id="capture-below-a-folder-called-hosts"),
        pytest.param("cap/fabric/ibnetdiscover.txt", None, id="fabric"),
        pytest.param("hosts/site/cap/fabric/ibnetdiscover.txt", None, id="capture-somewhere-below-hosts"),
        pytest.param("cap/hosts/hosts/ibnetdiscover.txt", "hosts", id="host-called-hosts"),
        pytest.param("cap/hosts/sys/ibnetdiscover.txt", "sys", id="host-called-sys"),
        pytest.param("hosts/caf\udce9/ibnetdiscover.txt", "caf\\xe9", id="host-that-is-no-text"),
        pytest.param("hosts/n\u00fc/ibnetdiscover.txt", "n\u00fc", id="host-with-umlaut"),
        pytest.param("cap/hosts/notes.txt", None, id="file-beside-hosts"),
        pytest.param("sys/class/infiniband/mlx5_0/node_guid", None, id="no-host"),
    ],
)
def test_the_folder_names_the_node(place: str, node: str | None) -> None:
    assert host_of(place) == node


def test_a_list_of_nodes() -> None:
    names, refused = node_names("\ufeff# nodes\r\nn1\r\n\r\n  n2  \nn1\nbad name\nevil\x1b[2J\n")
    assert names == ("n1", "n2")
    assert refused == ((6, "bad name"), (7, "evil\x1b[2J"))

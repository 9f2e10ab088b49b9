"""YAML with the meaning of the 1.2 core schema, every node at its place, every mistake a diagnostic."""

from __future__ import annotations

import math

import pytest
import yaml

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.base.terminal import draw_frames
from rulelang.data import yaml_reader
from rulelang.data.yaml_nodes import YamlMap, YamlScalar, YamlSeq, node_kind
from rulelang.data.yaml_reader import read_yaml


def read(text: str | bytes) -> tuple[YamlMap, Diagnostics]:
    diagnostics = Diagnostics()
    file = read_yaml(text if isinstance(text, bytes) else text.encode(), "f.yaml", diagnostics, layer=2)
    root = file.root
    assert root is None or isinstance(root, YamlMap)
    return root or YamlMap((), Span("f.yaml", 1, 1, 1, 1)), diagnostics


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("on", "on"),
        ("yes", "yes"),
        ("no", "no"),
        ("1:30", "1:30"),
        ("2001-01-01", "2001-01-01"),
        ("0..6", "0..6"),
        ("3-4", "3-4"),
        ("1.0.0", "1.0.0"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("", None),
        ("null", None),
        ("12", 12),
        ("-3", -3),
        ("0o17", 15),
        ("017", 17),
        ("0xff", 255),
        ("1_000", "1_000"),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("-.inf", -math.inf),
        ("'12'", "12"),
        ('"true"', "true"),
        ("!!str 12", "12"),
        ("<<", "<<"),
    ],
)
def test_core_schema(written: str, value: object) -> None:
    root, diagnostics = read(f"a: {written}\n")
    assert not len(diagnostics)
    node = root.get("a")
    assert isinstance(node, YamlScalar)
    assert (node.value, type(node.value)) == (value, type(value))
    assert node.layer == 2


def test_keys_keep_their_text() -> None:
    root, _ = read("on: 1\n2: 2\n3-4: 3\n")
    assert root.plain() == {"on": 1, "2": 2, "3-4": 3}
    assert root.keys() == ("on", "2", "3-4")


def test_places() -> None:
    root, _ = read("a: 1\nb:\n  - x\n  - {c: 'two words'}\n")
    items = root.get("b")
    assert isinstance(items, YamlSeq)
    inner = items.items[1]
    assert isinstance(inner, YamlMap)
    word = inner.get("c")
    assert word is not None
    assert word.span == ("f.yaml", 4, 9, 4, 20)
    key = inner.key("c")
    assert key is not None
    assert key.span == ("f.yaml", 4, 6, 4, 7)
    assert root.span == ("f.yaml", 1, 1, 4, 21)


def test_wide_characters_count_as_one_column() -> None:
    root, _ = read("a: {ja: 堅い殻, zh: 巨化}\n")
    chinese = root.map("a").get("zh")
    assert chinese is not None
    assert chinese.span == ("f.yaml", 1, 18, 1, 20)


def test_helpers() -> None:
    root, _ = read("a: 1\nb: [x, y]\nc: {d: 2}\ne:\n")
    assert root.text("a") == "1"
    assert root.text("e") is None
    assert [node.plain() for node in root.seq("b")] == ["x", "y"]
    assert [node.plain() for node in root.seq("a")] == [1]
    assert root.seq("c") == ()
    assert root.map("c").plain() == {"d": 2}
    assert len(root.map("nowhere")) == 0
    words = [node_kind(node) for _, node in root.items]
    assert words == ["the number 1", "a list", "a map", "nothing"]


@pytest.mark.parametrize(
    "text",
    [
        "rules: |\n  first\n  second @\n",
        "rules: |\n\n\n  first\n    deeper @\n",
        "rules: |2\n    first\n  back @\n",
        "deep:\n  rules: |-\n        first\n        wide 堅い殻 @\n",
        "deep:\n - rules: |+ # why\n     first\n     @ second\n\n\nafter: 1\n",
        "rules: one line @\n",
        "rules: 'one line @'\n",
        'rules: "one line @"\n',
        "{rules: one @ line}\n",
        "rules: |\r\n  first\r\n  second @\r\n",
        "\ufeffrules: one @\n",
    ],
)
def test_placement_translates_to_the_file(text: str) -> None:
    """The `@` of the rules text must come out at the `@` of the file."""
    root, diagnostics = read(text)
    assert not len(diagnostics)
    node = root.get("rules") or root.map("deep").get("rules")
    if node is None:
        inner = root.seq("deep")[0]
        assert isinstance(inner, YamlMap)
        node = inner.get("rules")
    assert isinstance(node, YamlScalar)
    assert node.exact
    lines = node.text.split("\n")
    line = next(i for i, words in enumerate(lines) if "@" in words)
    column = lines[line].index("@")
    span = node.placement().span(line + 1, column + 1, line + 1, column + 2)
    source = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    assert source[span.line - 1][span.column - 1 : span.end_column - 1] == "@"


@pytest.mark.parametrize("text", ["a: >\n  x\n  y\n", 'a: "x\\ty"\n', "a: 'it''s'\n", "a: x\n  y\n"])
def test_inexact_placements_say_so(text: str) -> None:
    node = read(text)[0].get("a")
    assert isinstance(node, YamlScalar)
    assert not node.exact


def test_block_span_ends_with_its_last_line() -> None:
    root, _ = read("a: |\n  x\n  yy\n\n# remark\nb: 1\n")
    node = root.get("a")
    assert node is not None
    assert node.span == ("f.yaml", 1, 4, 3, 5)


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("a: [1\n", "Y102", 2, 1),
        ("a: 1\n\tb: 2\n", "Y102", 2, 1),
        ("a: 'x\n", "Y102", 2, 1),
        ("a: b: c\n", "Y102", 1, 5),
        ("a: 1\n  b: 2\n", "Y102", 2, 4),
        ("a: @x\n", "Y102", 1, 4),
        ("a: 1\nb: 2\na: 3\n", "Y103", 3, 1),
        ("2: 1\n'2': 2\n", "Y103", 2, 1),
        ("a: *x\n", "Y105", 1, 4),
        ("a: &b [*b]\n", "Y105", 1, 8),
        ("? [1]\n: 2\n", "Y105", 1, 3),
        ("? {a: 1}\n: 2\n", "Y105", 1, 3),
        ("a: 1\n---\nb: 1\n", "Y105", 2, 1),
        ("a: !!python/object:os.system x\n", "Y105", 1, 4),
        ("a: !mine {b: 1}\n", "Y105", 1, 4),
        ("a: 1234567890123456789\n", "Y105", 1, 4),
        ("a: " + "[" * 200, "Y104", 1, 63),
        ("a: 1\nb: x\x07y\n", "Y101", 2, 5),
        ("a: x\u2028y\n", "Y101", 1, 5),
        ("a: x\ry: 1\n", "Y101", 1, 5),
        ("a: x\x00\n", "Y101", 1, 5),
        ("a: 堅\ud7ff\ufeff\n", "Y101", 1, 6),
        (b"a: 1\nbc: caf\xe9\n", "Y101", 2, 8),
        ("a: 1\n".encode("utf-16"), "Y101", 1, 1),
        ("a: 1\n".encode("utf-32"), "Y101", 1, 1),
        (b"\xff\xfe", "Y101", 1, 1),
        (b"#" * (8 * 2**20 + 1), "Y104", 1, 1),
    ],
)
def test_mistakes_at_their_place(text: str | bytes, code: str, line: int, column: int) -> None:
    _, diagnostics = read(text)
    assert [(d.code, d.span.line, d.span.column) for d in diagnostics] == [(code, line, column)]


def test_a_refused_step_on_one_line_is_told_how_to_stand() -> None:
    text = "when:\n  - bob: step: {refused: x}\n"
    _, diagnostics = read(text)
    assert draw_frames(diagnostics.sorted(), {"f.yaml": text}) == (
        "error[Y102]: a second `:` on this line, or a line that is indented too far\n"
        " --> f.yaml:2:14\n"
        "  |\n"
        "2 |   - bob: step: {refused: x}\n"
        "  |              ^\n"
        "  |\n"
        "  = hint: put text that contains `: ` in quotes; write a nested key on the next line, indented"
    )


def test_a_duplicate_key_names_both_places_and_reading_goes_on() -> None:
    root, diagnostics = read("a: 1\na: 2\nb: {c: 1, c: 2}\n")
    assert [d.related[0].span.line for d in diagnostics] == [1, 3]
    assert root.plain() == {"a": 1, "b": {"c": 1}}


def test_billion_laughs() -> None:
    laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    laughs += "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12))
    _, diagnostics = read(laughs)
    assert [d.code for d in diagnostics] == ["Y104"]


def test_aliases_share_what_they_name() -> None:
    root, diagnostics = read("a: &x {b: 1}\nc: *x\n")
    assert not len(diagnostics)
    assert root.get("a") is root.get("c")


def test_citations_stand_outside_texts() -> None:
    text = "#: r-1 r-2\na: 1  # r-3\n  #: r-4\nrules: |\n  #: inside\n  x\n#: r-5\ntext: 'a\n  #: no\n  b'\n"
    file = read_yaml(text.encode(), "f.yaml", Diagnostics(), 1)
    assert [(c.rule_id, c.span.line, c.span.column, c.layer) for c in file.citations] == [
        ("r-1", 1, 4, 1),
        ("r-2", 1, 8, 1),
        ("r-4", 3, 6, 1),
        ("r-5", 7, 4, 1),
    ]


def test_an_empty_file_has_no_root_and_no_mistake() -> None:
    diagnostics = Diagnostics()
    assert read_yaml(b"# only a remark\n", "f.yaml", diagnostics).root is None
    assert not len(diagnostics)


def test_without_the_c_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python events of PyYAML give the same tree and the same places."""
    text = "a: {b: [1, 'two', on]}\nrules: |\n  x\n   y\n#: r-1\nc: &k {d: 1}\ne: *k\n"
    fast = read_yaml(text.encode(), "f.yaml", Diagnostics())
    monkeypatch.setattr(yaml_reader, "_LOADER", yaml.SafeLoader)
    slow = read_yaml(text.encode(), "f.yaml", Diagnostics())
    assert slow == fast

"""`pdf`: a document as the bytes of a PDF, set by typst with the fonts that it needs."""

from __future__ import annotations

import importlib.util
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulelang.tools.printing.document import Document

if TYPE_CHECKING:
    import typst


# ---- fonts

#: Comes with typst.
LATIN = "Libertinus Serif"
MONO = "DejaVu Sans Mono"
#: Packages that hold fonts and nothing else, by the name they are imported by; the first is the one of our extra.
PACKAGES = (
    "manimgx_fonts_cjk", "pylopdf_fonts_zh_tw", "pylopdf_fonts_zh_cn", "pylopdf_fonts_jp", "pylopdf_fonts_ko",
)  # fmt: skip
#: Families with East Asian characters in the forms of a region, which stands for `{}`; then others.
_EAST_ASIAN = (
    "Noto Serif CJK {}", "Noto Sans CJK {}", "Source Han Serif {}", "Source Han Sans {}", "Noto Serif {}",
    "Noto Sans {}",
)  # fmt: skip
_ANY_EAST_ASIAN = (
    "PingFang TC", "PingFang SC", "Hiragino Sans", "Hiragino Mincho ProN", "Microsoft JhengHei", "Microsoft YaHei",
    "Yu Gothic", "MS Mincho", "SimSun", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "IPAexGothic", "IPAGothic",
    "Droid Sans Fallback", "Arial Unicode MS", "Malgun Gothic", "Apple SD Gothic Neo",
)  # fmt: skip
#: The regions whose forms a language takes, best first.
_REGIONS = {
    "zh": ("TC", "SC"), "zh-tw": ("TC",), "zh-hk": ("HK", "TC"), "zh-hant": ("TC",), "zh-cn": ("SC",),
    "zh-hans": ("SC",), "zh-sg": ("SC",), "ja": ("JP",), "ko": ("KR",),
}  # fmt: skip
_ALL_REGIONS = ("TC", "SC", "JP", "KR", "HK")
_WIDE = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


def scripts(texts: Iterable[str]) -> tuple[str, ...]:
    """The scripts of texts that the fonts of typst do not have: `East Asian`, others as Unicode calls them."""
    found: dict[str, None] = {}
    for letter in sorted(set("".join(texts))):
        if _WIDE.match(letter):
            found["East Asian"] = None
        elif letter.isalpha():
            name = unicodedata.name(letter, "").partition(" ")[0].capitalize()
            if name not in ("Latin", "Greek", "Cyrillic", "Modifier", "Feminine", "Masculine", "Micro", "Script"):
                found[name] = None
    return tuple(found)


def package_folders() -> list[str]:
    """The folders of installed packages of fonts."""
    found = []
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        found += list(spec.submodule_search_locations or ()) if spec is not None else []
    return found


def east_asian(language: str, families: Sequence[str]) -> list[str]:
    """Those of the families that have East Asian characters, in the order in which a language takes them."""
    tag = language.lower()
    first = _REGIONS.get(tag) or _REGIONS.get(tag.partition("-")[0], ())
    order = [*first, *(region for region in _ALL_REGIONS if region not in first)]
    wanted = [form.format(region) for region in order for form in _EAST_ASIAN]
    there = set(families)
    return [name for name in (*wanted, *_ANY_EAST_ASIAN) if name in there]


# ---- typesetting

TEMPLATES = Path(__file__).parent / "templates"
INSTALL = "pip install 'rulelang[print]'"
INSTALL_FONTS = "pip install 'rulelang[print-cjk]'"
INSTALL_BOTH = "pip install 'rulelang[print,print-cjk]'"
#: A document has no time of its own: so its PDF is the same every day.
_MOMENT = 0
#: How a sheet may be set: pages, and sizes of the text in points. The first that fits is taken: best on one page in
#: letters that are read with ease, else on two.
_SHEET_SIZES = ((1, 10.0), (1, 9.0), (1, 8.0), (2, 10.0), (2, 9.0), (2, 8.0), (2, 7.0), (2, 6.0), (2, 5.5))


class CannotPrint(Exception):
    """A document cannot be printed here; the text says why in one sentence, and what can be done."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Where the corner of a card is, in mm from the corner of its page; pages count from 1."""

    page: int
    x: float
    y: float
    back: bool


@dataclass(frozen=True, slots=True)
class Printed:
    """A document as it was set. `cut`: titles of cards whose text had to be cut; `cards`: where each is, in order."""

    pages: int
    data: bytes
    cut: tuple[str, ...]
    cards: tuple[Placed, ...]


def pdf(document: Document, fonts: Sequence[Path] = ()) -> Printed:
    """Set a document as PDF. `fonts`: folders of fonts besides those that are found. CannotPrint without typst, or
    without fonts for its characters."""
    setter = _Setter(document, fonts)
    data = setter.compiler().compile(format="pdf", timestamp=_MOMENT)
    assert isinstance(data, bytes)
    cards = tuple(Placed(**place) for place in setter.asked("card"))
    return Printed(setter.pages, data, tuple(map(plainly, setter.asked("cut"))), cards)


def pictures(document: Document, fonts: Sequence[Path] = (), *, ppi: float = 96) -> list[bytes]:
    """The pages of a document as PNG pictures, to be looked at. CannotPrint without typst."""
    data = _Setter(document, fonts).compiler().compile(format="png", ppi=ppi)
    return data if isinstance(data, list) else [data or b""]


class _Setter:
    """One document on its way through typst."""

    def __init__(self, document: Document, given: Sequence[Path]) -> None:
        said = asdict(document)
        needed = scripts(_texts(said))
        try:
            import typst
        except ImportError:
            fontless = "East Asian" in needed and not given and not package_folders()
            both = ", and a font for East Asian characters if your system has none" if fontless else ""
            install = INSTALL_BOTH if fontless else INSTALL
            raise CannotPrint(f"printing needs `typst`{both}: {install}") from None
        self.typst = typst
        self.document = document
        folders = [*map(str, given), *(package_folders() if needed else ())]
        self.fonts = typst.Fonts(include_system_fonts=bool(needed), font_paths=folders)
        families = self.fonts.families()
        language = "-".join(filter(None, (document.head.language, document.head.region)))
        own = typst.Fonts(False, False, font_paths=[str(folder) for folder in given]).families() if given else []
        asian = east_asian(language, families) if "East Asian" in needed else []
        if "East Asian" in needed and not asian and not own:
            raise CannotPrint(
                "it has East Asian characters, and there is no font for them: "
                f"{INSTALL_FONTS}, or give a folder of fonts with --fonts"
            )
        chosen = list(dict.fromkeys((LATIN, *asian[:3], *own)))
        self.data: dict[str, Any] = {**said, "fonts": chosen, "mono": [MONO, *chosen[1:]]}
        self._compiler: typst.Compiler | None = None
        self._settle()

    def _settle(self) -> None:
        """Choose the size of the text. A sheet takes the first in which it fits on its pages."""
        for most, size in _SHEET_SIZES if self.document.kind == "sheet" else ((0, None),):
            self.data["size"] = size
            self._compiler = None
            if size is None or self.pages <= most:
                break

    def compiler(self) -> typst.Compiler:
        if self._compiler is None:
            self._compiler = self.typst.Compiler(
                str(TEMPLATES / f"{self.document.kind}.typ"),
                root=str(TEMPLATES),
                font_paths=self.fonts,
                sys_inputs={"document": json.dumps(self.data, ensure_ascii=False)},
            )
        return self._compiler

    def asked(self, label: str) -> list[Any]:
        """The values of what the templates label so."""
        found = json.loads(self.compiler().query(f"<{label}>", field="value"))
        assert isinstance(found, list)
        return found

    @property
    def pages(self) -> int:
        return int(self.asked("pages")[0])


def plainly(text: str) -> str:
    """A text without the places at which its words may be broken."""
    return text.replace("\u200b", "")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)

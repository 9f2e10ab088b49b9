"""Which fonts a document needs, and where they are: what typst brings for Latin letters, others for East Asia."""

from __future__ import annotations

import importlib.util
import re
import unicodedata
from collections.abc import Iterable, Sequence

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

"""Say phrases and names in a language: choose it, look texts up in its catalogue, fall back to English."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from rulelang.base.phrases import (
    Filling,
    Hole,
    Parts,
    Phrase,
    count_names,
    fill_template,
    hole_names,
    keyed_template,
    phrase,
    template_pieces,
    word_form,
)

# ---- languages


class Language:
    """`code` is its tag (`en`, `zh`, `pt-br`); `texts` has by English template or name what is said instead.

    `labels`: things are called as their ruleset wants them called; else, in English, by their names in the rules, which
    is what authors write. What the catalogue lacks, or has with other holes, is said in English and noted in `missed`.
    """

    def __init__(self, code: str, texts: Mapping[str, str], *, labels: bool = True) -> None:
        self.code = code
        self.texts = texts
        self.labels = labels
        self.missed: set[str] = set()
        self._parts: dict[Parts, Parts] = {}
        self._templates: dict[str, tuple[str, str]] = {}
        self._labelled: Language | None = None

    def __reduce__(self) -> tuple[Callable[..., Language], tuple[str, dict[str, str], bool]]:
        return _language, (self.code, dict(self.texts), self.labels)

    def __repr__(self) -> str:
        return f"<Language {self.code}, {len(self.texts)} texts>"

    def labelled(self) -> Language:
        """The same, in which things have their labels."""
        if self._labelled is None:
            self._labelled = self if self.labels else Language(self.code, self.texts)
        return self._labelled

    # ---- what is said

    def word(self, english: str) -> str:
        """A name, or a text without holes."""
        found = self.texts.get(english)
        if found is not None:
            return found
        return self._missing(english)

    def of(self, texts: Mapping[str, str]) -> str:
        """A text that is written in several languages, by their tags: as it stands there, else as the catalogue has the
        English one (or the first by its tag). "" for none."""
        own = texts.get(self.code)
        if own or not texts:
            return own or ""
        english = texts.get("en") or next((text for _, text in sorted(texts.items()) if text), "")
        return self.word(english) if english else ""

    def say(self, template: str, **values: Filling) -> str:
        """A phrase of the program, said at once. The template is written where it is used."""
        found, code = self._template(template)
        return fill_template(found, code, values, self._plain)

    def render(self, said: Phrase, inner: Callable[[Filling], str] | None = None) -> str:
        """A phrase in this language. `inner` says what fills its holes, if that may be more than texts, numbers and
        phrases."""
        template, code = self._template(said.template)
        return fill_template(template, code, said.values, inner or self._plain)

    def _plain(self, value: Filling) -> str:
        return self.render(value) if isinstance(value, Phrase) else str(value)

    def says(self, parts: Parts) -> bool:
        """Whether the catalogue has a text of rules as a whole."""
        if not self.texts:
            return False
        key = keyed_template(parts)[0]
        found = self.texts.get(key)
        return found is not None and fits_english(key, found)

    def parts(self, parts: Parts) -> Parts:
        """A text of rules, whose parts stand in the order of this language."""
        if not self.texts and self.code == "en":
            return parts
        found = self._parts.get(parts)
        if found is None:
            found = self._parts[parts] = self._translated(parts)
        return found

    def form(self, forms: str, number: int) -> str:
        """Of the forms in the kind of a part (`:one|other`, `:de:one|other`), the one that a number takes."""
        code, _, ways = forms[1:].rpartition(":")
        return word_form(code or "en", ways.split("|"), number)

    def listed(self, items: Sequence[str]) -> str:
        """`Ana, Bob and Cleo`; "" of none."""
        if len(items) < 2:
            return "".join(items)
        return self._joined(items[:-2], self.render(phrase("{first} and {last}", first=items[-2], last=items[-1])))

    def either(self, items: Sequence[str]) -> str:
        """`Ana, Bob or Cleo`; "" of none."""
        if len(items) < 2:
            return "".join(items)
        return self._joined(items[:-2], self.render(phrase("{first} or {last}", first=items[-2], last=items[-1])))

    def row(self, items: Sequence[str]) -> str:
        """`Ana, Bob, Cleo`; "" of none."""
        return self._joined(items[:-1], items[-1]) if items else ""

    def clauses(self, items: Sequence[str]) -> str:
        """`runs; two joints; three points`; "" of none."""
        said = items[-1] if items else ""
        for item in reversed(items[:-1]):
            said = self.render(phrase("{first}; {rest}", first=item, rest=said))
        return said

    def sentences(self, items: Sequence[str]) -> str:
        """`It runs. It has two joints`: the stop of the last is its own."""
        said = items[-1] if items else ""
        for item in reversed(items[:-1]):
            said = self.render(phrase("{first}. {rest}", first=item.rstrip(".。"), rest=said))
        return said

    def _joined(self, items: Sequence[str], said: str) -> str:
        for item in reversed(items):
            said = self.render(phrase("{first}, {rest}", first=item, rest=said))
        return said

    # ---- what the catalogue has

    def _missing(self, english: str) -> str:
        if self.code != "en":
            words = "".join(
                piece if isinstance(piece, str) else "".join(piece.forms) for piece in template_pieces(english)
            )
            if any(char.isalpha() for char in words):
                self.missed.add(english)
        return english

    def _template(self, english: str) -> tuple[str, str]:
        """What is said instead of a template, and the language in which it counts."""
        known = self._templates.get(english)
        if known is None:
            found = self.texts.get(english)
            fitting = found is not None and fits_english(english, found)
            known = (found, self.code) if found is not None and fitting else (self._missing(english), "en")
            self._templates[english] = known
        return known

    def _translated(self, parts: Parts) -> Parts:
        key, filled = keyed_template(parts)
        template, code = self._template(key)
        if code == "en":
            return parts
        return tuple(self._part(piece, filled) for piece in template_pieces(template))

    def _part(self, piece: str | Hole, filled: Mapping[str, tuple[int, str]]) -> str | tuple[int, str]:
        if isinstance(piece, str):
            return piece
        position, kind = filled[piece.name]
        return (position, f":{self.code}:{'|'.join(piece.forms)}") if piece.forms else (position, kind)


def fits_english(english: str, translated: str) -> bool:
    """Whether a translation tells what the English text tells, and chooses forms by nothing else."""
    return hole_names(english) == hole_names(translated) and count_names(translated) <= hole_names(
        english
    ) | count_names(english)


def _language(code: str, texts: Mapping[str, str], labels: bool) -> Language:
    return Language(code, texts, labels=labels)


#: English says every phrase as it is written, and every name as the rules have it.
ENGLISH = Language("en", {}, labels=False)


# ---- errors with phrases


class PhrasedError(Exception):
    """What cannot be; the text says why, in English. What people who write or play run into is a phrase, which is said
    to them in their language."""

    def __init__(self, why: str | Phrase) -> None:
        super().__init__(ENGLISH.render(why) if isinstance(why, Phrase) else why)
        self.why = why

    def said(self, language: Language) -> str:
        """The text in a language."""
        return language.render(self.why) if isinstance(self.why, Phrase) else self.why


def error_text(problem: Exception, language: Language) -> str:
    """What a mistake says in a language; in English if it knows no other."""
    return problem.said(language) if isinstance(problem, PhrasedError) else str(problem)


# ---- choosing a language

#: Where a wish stands, the first that says something; `LANGUAGE` may say several.
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def language_tag(text: str) -> str:
    """A language as catalogues are named: `zh` of `zh_TW.UTF-8` is `zh-tw`; English for `C` and `POSIX`."""
    bare = text.strip().partition(".")[0].partition("@")[0].replace("_", "-").lower()
    return "en" if bare in ("c", "posix", "en-us") else bare


def wished_languages(environment: Mapping[str, str]) -> list[str]:
    """The languages that the environment asks for, best first; none if it says nothing."""
    for variable in VARIABLES:
        found = [language_tag(word) for word in environment.get(variable, "").split(":") if word.strip()]
        if found:
            return found
    return []


def nearest_language(wished: str, there: Iterable[str]) -> str | None:
    """The language itself, or the one that it is a variety of (`zh` for `zh-tw`); None if neither is there."""
    known = set(there)
    while wished and wished not in known:
        wished = wished.rpartition("-")[0]
    return wished or None


def choose_language(environment: Mapping[str, str], there: Iterable[str]) -> str:
    """The best language that is there, English if none of those asked for is."""
    known = {*there, "en"}
    return next((found for wish in wished_languages(environment) if (found := nearest_language(wish, known))), "en")

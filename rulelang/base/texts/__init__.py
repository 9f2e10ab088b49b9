"""Words for players: phrases with holes, and the languages that they are said in.

- `phrase`: `Phrase`, an English template with named holes and what fills them; `keyed`, that of a text of rules.
- `language`: `Language` says phrases and names, in English (`ENGLISH`) or as a catalogue has them.
- `plurals`: which form of a word a number takes.
- `choosing`: which language is wanted, by the environment.
"""

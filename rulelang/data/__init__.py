"""The data room: files on disk become positioned records.

Public surface:

- `ruleset.load_ruleset` -> `RulesetSource`: find, read, check and merge a ruleset with its mods and mode.
- `ruleset.texts_of`: the texts to draw diagnostics with when there is no source (`RulesetSource.sources` otherwise).
- `sources`, `given`, `order`: rulesets and mods are found, and put in order.
- `modlists`, `locks`: files that list mods, or hold them.
- `records`: `RulesetSource` and what it holds (`Layer`, `RulesText`, `RulesOwner`, `TraitFile`, `ScenarioFile`).
- `yaml_reader.read_yaml` / `read_yaml_text` -> `YamlFile`: one YAML file as nodes of `yaml_nodes`.
- `schema.check_schema`: a node tree against one of the JSON Schemas.
- `schema.problems`: JSON data (a view, a replay) against a schema.
- `paths`: where schemas, shipped rulesets and seeds lie.

This is the only room that imports yaml, jsonschema and packaging.
"""

"""The data room: files on disk become positioned records.

Public surface:

- `ruleset.load_ruleset` -> `RulesetSource`: find, read, check and merge a ruleset with its mods and mode.
- `yaml_reader.read_yaml` / `read_yaml_text` -> `YamlFile`: one YAML file as nodes of `yaml_nodes`.
- `schema.check_schema`: a node tree against one of the JSON Schemas.
- `places`: where schemas, shipped rulesets and the cache lie.

This is the only room that imports yaml, jsonschema, packaging and platformdirs.
"""

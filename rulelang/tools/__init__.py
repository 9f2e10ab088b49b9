"""Work on rulesets: card tables, mods, lint, translations, scaffolding, reports and generated pages."""

"""Test rulesets: scenarios, rule coverage and replays."""

"""Decisions as plain statements: counting the options, drawing one by whatever way is quickest, finding it again."""

"""One file a rule; `rulelang/lint/registry.py` is the table of them."""

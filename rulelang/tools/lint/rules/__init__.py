"""The rules of the linter by topic; `RULES` in `rulelang/tools/lint/run.py` is the table of them."""

"""The studio: a server on this machine, and the pages that it shows in a browser.

`rulelang studio` opens the workshop and tables for its author, `rulelang host` tables for friends. What is seen is
drawn in the browser (`web/`, TypeScript), from documents of `rulelang.presentation.view` and nothing else.
"""

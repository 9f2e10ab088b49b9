"""The full screen of `rulelang play`: the table, the log and what is asked, by mouse and keys. Drawn with textual."""

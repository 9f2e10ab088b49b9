"""Turn IR into programs: Python, native and JavaScript backends."""

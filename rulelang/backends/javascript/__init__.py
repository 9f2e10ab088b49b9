"""The JavaScript backend: a module of the IR as one ES module that needs nothing, for Node and for pages."""

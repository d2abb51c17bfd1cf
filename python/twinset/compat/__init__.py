"""Modules with the names and the results of other packages."""

"""Is it a Kessel server? ``python -m kessel.conformance ADDRESS [GAME]`` asks it everything PROTOCOL.md promises."""

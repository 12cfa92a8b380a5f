"""Protocol tests of a server: ``python -m kessel.conformance ADDRESS [GAME]`` checks what PROTOCOL.md promises."""

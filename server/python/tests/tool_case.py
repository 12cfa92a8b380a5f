"""What tests of games as text share."""

import unittest

from kessel.text import ToolServer


class ToolTestCase(unittest.TestCase):
    """All tests of a class ask one ``kessel tools``."""

    server: ToolServer

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = ToolServer()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.close()

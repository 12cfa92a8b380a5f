"""Environments with the interfaces of Gymnasium, EnvPool and PettingZoo.

``env`` and ``wrappers`` need Gymnasium, ``zoo`` needs PettingZoo; the other modules need neither.
"""

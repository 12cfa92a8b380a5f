"""Orders: one stands for many actions."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np

from kessel import Client, KesselError


class OrdersTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client()
        self.addCleanup(self.client.close)
        self.names = self.client.describe("night-fight")["actions"]
        self.batch = self.client.make("night-fight", 1)
        self.tensors = self.batch.reset(seed=1)

    def give(self, order: str) -> dict[str, Any]:
        """Steps the actions of an order."""
        expansion: dict[str, Any] = self.batch.orders(order=order)["expansion"]
        for action in expansion["actions"]:
            if self.tensors["mask"][0, action]:  # else the server did it, as the only choice
                self.tensors = self.batch.step(np.array([action], np.int32))
        return expansion

    def test_an_order_is_stepped_action_by_action(self) -> None:
        bought = self.give("buy truck x2, vs x5, panther, done!")
        self.assertEqual([self.names[a] for a in bought["actions"]][:3], ["buy truck", "buy truck", "buy vs"])
        self.assertIsNone(bought["stopped"])
        told = self.batch.orders(unit="truck-1")
        self.assertIn("truck-1", told["forms"][0]["units"])
        far = [w for w in told["ways"] if len(w["path"]) > 2][0]
        moved = self.give(far["order"])
        self.assertIsNone(moved["stopped"])
        self.assertEqual(self.batch.position()[0]["german"]["truck-1"]["hex"], far["place"])

    def test_what_warns_is_told(self) -> None:
        self.assertEqual(self.batch.orders(order="end phase")["expansion"]["actions"], [])
        self.assertIn("points would be wasted", self.batch.orders(order="end phase")["expansion"]["stopped"])

    def test_what_is_no_order_is_refused(self) -> None:
        with self.assertRaisesRegex(KesselError, "an order is move UNIT to PLACE"):
            self.batch.orders(order="fly")
        with self.assertRaisesRegex(KesselError, "can't be sent now"):
            self.batch.orders(unit="truck-1")


if __name__ == "__main__":
    unittest.main()

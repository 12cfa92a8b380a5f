"""A tagged ONNX file plays on a server of toy games; its model folder is in KESSEL_MODELS, its address in KESSEL_ADDRESS."""

from __future__ import annotations

import os
import unittest
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import kessel
from kessel import export

GAME = "toy-ambush"


class ExportTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(os.environ["KESSEL_MODELS"])
        self.client = kessel.Client()
        self.addCleanup(self.client.close)
        self.about = self.client.describe(GAME)
        self.source = self.folder / "plain.onnx"

    def write(self, favourite: int = 3, A: int | None = None, batch: str | int = "batch", value: str = "value") -> np.ndarray:
        """A net whose logits are always the same, highest for ``favourite``, plus nothing times ``globals``."""
        A = A or len(self.about["actions"])
        G = self.about["shapes"]["globals"][0]
        bias = np.zeros(A, np.float32)
        bias[favourite] = 9
        tensors = [
            numpy_helper.from_array(np.zeros((G, A), np.float32), "w"),
            numpy_helper.from_array(bias, "b"),
            numpy_helper.from_array(np.zeros((G, 1), np.float32), "v"),
        ]
        nodes = [
            helper.make_node("MatMul", ["globals", "w"], ["logits"]),
            helper.make_node("Add", ["logits", "b"], ["policy"]),
            helper.make_node("MatMul", ["globals", "v"], [value]),
        ]
        info = helper.make_tensor_value_info
        graph = helper.make_graph(
            nodes,
            "net",
            [info("globals", TensorProto.FLOAT, [batch, G])],
            [info("policy", TensorProto.FLOAT, [batch, A]), info(value, TensorProto.FLOAT, [batch, 1])],
            tensors,
        )
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), str(self.source))
        return bias

    def test_it_plays_as_it_was_trained(self) -> None:
        favourite = self.about["actions"].index("send 4")
        bias = self.write(favourite)
        batch = self.client.make(GAME, 5)
        t = batch.reset(seed=1)
        golden = {**{n: t[n] for n in ("globals", "map", "units", "decision", "mask")}, "policy": np.tile(bias, (5, 1)), "value": np.zeros((5, 1))}
        export.tag(self.source, self.folder / "fan.onnx", self.about, seats=["red"], trained={"steps": 0}, golden=golden)
        against = self.client.make(GAME, 5, seats={"red": "onnx:fan.onnx"}, record=True, privileged=True, skipForced=False)
        against.reset(seed=1)
        first = [a for a in against.replay(0)["actions"]][0]
        self.assertEqual(first, "send 4")
        with self.assertRaises(kessel.KesselError):
            against = self.client.make(GAME, 5, seats={"blue": "onnx:fan.onnx"})
            t = against.reset(seed=1)
            for _ in range(100):
                t = against.step(kessel.sample(t["mask"]))

    def test_golden_pairs_are_compared(self) -> None:
        bias = self.write()
        t = self.client.make(GAME, 2).reset(seed=1)
        golden = {**{n: t[n] for n in ("globals", "map", "units", "decision", "mask")}, "policy": np.tile(bias + 1, (2, 1)), "value": np.zeros((2, 1))}
        export.tag(self.source, self.folder / "wrong.onnx", self.about, golden=golden)
        with self.assertRaisesRegex(kessel.KesselError, "golden"):
            self.client.make(GAME, 1, seats={"red": "onnx:wrong.onnx"})

    def test_what_does_not_fit_is_refused(self) -> None:
        for args, says in (({"A": 99}, "policy has shape"), ({"batch": 1}, "dynamic batch"), ({"value": "worth"}, "no output value")):
            self.write(**args)  # type: ignore[arg-type]
            with self.assertRaisesRegex(ValueError, says):
                export.tag(self.source, self.folder / "never.onnx", self.about)
        self.write()
        with self.assertRaisesRegex(ValueError, "seats are among red, blue"):
            export.tag(self.source, self.folder / "never.onnx", self.about, seats=["green"])
        self.assertFalse((self.folder / "never.onnx").exists())


if __name__ == "__main__":
    unittest.main()

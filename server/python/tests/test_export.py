"""A tagged ONNX file plays on a server of toy games; its model folder is in KESSEL_MODELS, its address in
KESSEL_ADDRESS."""

from __future__ import annotations

import base64
import json
import os
import unittest
import zlib
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

    def write(
        self, favourite: int = 3, A: int | None = None, batch: str | int = "batch", value: str = "value"
    ) -> np.ndarray:
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

    def test_golden_pairs_of_any_file(self) -> None:
        bias = self.write(2)
        envs = kessel.make_vec(GAME, 2, seat="red", opponent="random", privileged=True)
        self.addCleanup(envs.close)
        model = self.folder / "golden.onnx"
        export.golden(self.source, model, envs, trained={"steps": 3}, rows=5)
        pairs = json.loads({p.key: p.value for p in onnx.load(str(model)).metadata_props}["kessel.golden"])
        self.assertEqual(pairs["size"], 5)
        policy = np.frombuffer(zlib.decompress(base64.b64decode(pairs["policy"])), "<f4").reshape(5, -1)
        np.testing.assert_allclose(policy, np.tile(bias, (5, 1)))
        kessel.make_vec(GAME, 2, seat="blue", opponent="onnx:golden.onnx").close()
        self.write(2, value="worth")
        with self.assertRaisesRegex(ValueError, "it needs policy and value"):
            export.golden(self.source, model, envs)

    def test_it_plays_as_it_was_trained(self) -> None:
        favourite = self.about["actions"].index("send 4")
        bias = self.write(favourite)
        batch = self.client.make(GAME, 5)
        t = batch.reset(seed=1)
        golden = {
            **{n: t[n] for n in ("globals", "map", "units", "decision", "mask")},
            "policy": np.tile(bias, (5, 1)),
            "value": np.zeros((5, 1)),
        }
        export.tag(
            self.source, self.folder / "fan.onnx", self.about, seats=["red"], trained={"steps": 0}, golden=golden
        )
        against = self.client.make(
            GAME, 5, seats={"red": "onnx:fan.onnx"}, record=True, privileged=True, skipForced=False
        )
        against.reset(seed=1)
        first = [a for a in against.replay(0)["actions"]][0]
        self.assertEqual(first, "send 4")
        with self.assertRaises(kessel.KesselError):
            against = self.client.make(GAME, 5, seats={"blue": "onnx:fan.onnx"})
            t = against.reset(seed=1)
            for _ in range(100):
                t = against.step(kessel.sample(t["mask"]))

    def test_it_draws_its_actions_at_the_temperature_it_is_given(self) -> None:
        favourite = self.about["actions"].index("send 4")
        self.write(favourite)
        firsts = []
        for temperature in (0, 100):
            export.tag(self.source, self.folder / "warm.onnx", self.about, seats=["red"], temperature=temperature)
            against = self.client.make(
                GAME, 60, seats={"red": "onnx:warm.onnx"}, record=True, privileged=True, skipForced=False
            )
            against.reset(seed=1)
            firsts.append({against.replay(i)["actions"][0] for i in range(60)})
        self.assertEqual(firsts[0], {"send 4"})
        self.assertGreater(len(firsts[1]), 1)
        for wrong in (-1, 101, float("nan")):
            with self.assertRaisesRegex(ValueError, "temperature is a number from 0 to 100"):
                export.tag(self.source, self.folder / "never.onnx", self.about, temperature=wrong)

    def test_golden_pairs_are_compared(self) -> None:
        bias = self.write()
        t = self.client.make(GAME, 2).reset(seed=1)
        golden = {
            **{n: t[n] for n in ("globals", "map", "units", "decision", "mask")},
            "policy": np.tile(bias + 1, (2, 1)),
            "value": np.zeros((2, 1)),
        }
        export.tag(self.source, self.folder / "wrong.onnx", self.about, golden=golden)
        with self.assertRaisesRegex(kessel.KesselError, "golden"):
            self.client.make(GAME, 1, seats={"red": "onnx:wrong.onnx"})

    def test_versions_too_new_for_the_server_are_lowered(self) -> None:
        self.write()
        plain = onnx.load(self.source)
        newest = helper.make_model(plain.graph)  # the newest versions that this onnx has
        onnx.save(newest, str(self.source))
        export.tag(self.source, self.folder / "new.onnx", self.about)
        tagged = onnx.load(self.folder / "new.onnx")
        self.assertLess(tagged.opset_import[0].version, newest.opset_import[0].version)
        self.client.make(GAME, 1, seats={"red": "onnx:new.onnx"}).close()

    def test_numbers_in_another_file_are_written_into_the_model(self) -> None:
        self.write()
        beside = {"save_as_external_data": True, "location": "beside.data", "size_threshold": 0}
        export.tag(self.source, self.folder / "whole.onnx", self.about)
        onnx.save(onnx.load(self.folder / "whole.onnx"), str(self.folder / "apart.onnx"), **beside)
        with self.assertRaisesRegex(kessel.KesselError, "in another file; kessel.export.tag"):
            self.client.make(GAME, 1, seats={"red": "onnx:apart.onnx"})
        export.tag(self.folder / "apart.onnx", self.folder / "again.onnx", self.about)
        self.client.make(GAME, 1, seats={"red": "onnx:again.onnx"}).close()

    def test_what_does_not_fit_is_refused(self) -> None:
        for args, says in (
            ({"A": 99}, "policy has shape"),
            ({"batch": 1}, "dynamic batch"),
            ({"value": "worth"}, "no output value"),
        ):
            self.write(**args)  # type: ignore[arg-type]
            with self.assertRaisesRegex(ValueError, says):
                export.tag(self.source, self.folder / "never.onnx", self.about)
        self.write()
        with self.assertRaisesRegex(ValueError, "seats are among red, blue"):
            export.tag(self.source, self.folder / "never.onnx", self.about, seats=["green"])
        self.assertFalse((self.folder / "never.onnx").exists())

    def layers(self, *sizes: int) -> list[tuple[np.ndarray, np.ndarray]]:
        rng = np.random.default_rng(len(sizes))
        return [(rng.normal(0, 0.3, (i, o)), rng.normal(0, 0.1, o)) for i, o in zip(sizes, sizes[1:])]

    def test_dense_layers_become_a_model(self) -> None:
        n, A = sum(int(np.prod(s)) for s in self.about["shapes"].values()), len(self.about["actions"])
        policy, value = self.layers(8, A), self.layers(8, 4, 1)
        policy[-1][1][self.about["actions"].index("send 4")] += 30
        faces = [
            kessel.make_vec(GAME, 2, dtype="uint8"),
            kessel.FlatVector(kessel.make_vec(GAME, 2)),
            kessel.Flat(kessel.make(GAME)),
            kessel.aec_env(GAME),
        ]
        for envs, activation in zip(faces, ("tanh", "relu", "silu", "tanh")):
            export.from_mlp(
                self.folder / "dense.onnx",
                envs,
                trunk=self.layers(n, 8),
                policy=policy,
                value=value,
                activation=activation,
            )
            envs.close()
            against = self.client.make(
                GAME, 3, seats={"red": "onnx:dense.onnx"}, record=True, privileged=True, skipForced=False
            )  # compares the recorded answers
            against.reset(seed=1)
            self.assertEqual(against.replay(0)["actions"][0], "send 4")

    def test_layers_that_do_not_fit(self) -> None:
        n, A = sum(int(np.prod(s)) for s in self.about["shapes"].values()), len(self.about["actions"])
        envs = kessel.make_vec(GAME, 1, seat="red")
        self.addCleanup(envs.close)
        for layers, says in (
            ({"policy": self.layers(n + 1, A), "value": self.layers(n, 1)}, "layer 0 of policy"),
            ({"policy": self.layers(n, A + 1), "value": self.layers(n, 1)}, f"needs {A}"),
            ({"policy": self.layers(n, A), "value": []}, "value ends in"),
            ({"policy": self.layers(n, A), "value": self.layers(n, 1), "activation": "sine"}, "activation is tanh"),
        ):
            with self.assertRaisesRegex(ValueError, says):
                export.from_mlp(self.folder / "never.onnx", envs, **layers)  # type: ignore[arg-type]
        with self.assertRaisesRegex(TypeError, "kessel.make_vec"):
            export.from_mlp(self.folder / "never.onnx", object(), policy=[], value=[])
        export.from_mlp(self.folder / "red.onnx", envs, policy=self.layers(n, A), value=self.layers(n, 1))
        self.assertEqual(
            json.loads(
                {p.key: p.value for p in onnx.load(str(self.folder / "red.onnx")).metadata_props}["kessel.seats"]
            ),
            ["red"],
        )
        self.assertFalse((self.folder / "never.onnx").exists())

    def test_situations_are_early_and_late(self) -> None:
        envs = kessel.make_vec(GAME, 1, seat="blue")
        self.addCleanup(envs.close)
        got = export.situations(envs, rows=12)
        self.assertTrue(got["mask"].any(axis=1).all())
        self.assertEqual(
            {k: v.dtype.name for k, v in got.items()},
            {**dict.fromkeys(("globals", "map", "units", "decision"), "float32"), "mask": "uint8"},
        )
        self.assertGreater(len(np.unique(np.concatenate([got["globals"], got["decision"]], axis=1), axis=0)), 3)


if __name__ == "__main__":
    unittest.main()

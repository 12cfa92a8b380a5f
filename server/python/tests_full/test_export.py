"""Nets of PyTorch and JAX become models that a server plays, whatever their exporters make of them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from torch import nn

import kessel
from kessel import export

GAME = "pocket-stalingrad"


class Transformer(nn.Module):
    """Attention over units, as many a policy has it."""

    def __init__(self, about: dict[str, Any]) -> None:
        super().__init__()
        units, wide = about["shapes"]["units"], 32
        self.embed = nn.Linear(units[1], wide)
        layer = nn.TransformerEncoderLayer(wide, 4, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.policy = nn.Linear(wide + about["shapes"]["decision"][0], len(about["actions"]))
        self.value = nn.Linear(wide, 1)

    def forward(self, globals: Any, map: Any, units: Any, decision: Any) -> Any:
        seen = self.encoder(self.embed(units)).mean(1)
        return self.policy(torch.cat([seen, decision], 1)), torch.tanh(self.value(seen))[:, 0]


class Attention(nn.Module):
    """Attention in PyTorch's one function for it."""

    def __init__(self, about: dict[str, Any]) -> None:
        super().__init__()
        self.policy = nn.Linear(about["shapes"]["globals"][0], len(about["actions"]))

    def forward(self, globals: Any, map: Any, units: Any, decision: Any) -> Any:
        attended = nn.functional.scaled_dot_product_attention(units[:, None], units[:, None], units[:, None])
        return self.policy(globals) + attended.mean((1, 2, 3))[:, None], globals.mean(1)


KERAS = """
import sys
import keras
import numpy as np
onnx, npz, (G, U, Fu, A) = *sys.argv[1:3], map(int, sys.argv[3:])
g, u = keras.Input((G,), name="globals"), keras.Input((U, Fu), name="units")
units = keras.layers.GlobalAveragePooling1D()(keras.layers.Dense(16, activation="relu")(u))
seen = keras.layers.Concatenate()([keras.layers.Dense(32, activation="relu")(g), units])
policy, value = keras.layers.Dense(A)(seen), keras.layers.Dense(1, activation="tanh")(seen)
net = keras.Model({"globals": g, "units": u}, [policy, value])
rng = np.random.default_rng(1)
x = {"globals": rng.random((3, G), np.float32), "units": rng.random((3, U, Fu), np.float32)}
made = [keras.ops.convert_to_numpy(y) for y in net(x)]
net.export(onnx, format="onnx", verbose=False)
np.savez(npz, **x, policy=made[0], value=made[1])
"""
"""Writes a net of Keras as ONNX, and what it makes of some rows."""


class ExportTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.server = kessel.LocalServer(args=["--models", folder.name])
        self.addCleanup(self.server.stop)
        self.envs = kessel.make_vec(GAME, 4, address=self.server.address, seat="soviet", opponent="random")
        self.addCleanup(self.envs.close)
        torch.manual_seed(1)

    def plays(self, name: str) -> None:
        envs = kessel.make_vec(GAME, 3, address=self.server.address, seat="german", opponent=f"onnx:{name}")
        _, info = envs.reset(seed=1)
        for _ in range(10):
            _, _, _, _, info = envs.step(kessel.sample(info["action_mask"]))
        envs.close()

    def test_a_transformer(self) -> None:
        net = Transformer(self.envs.description)
        for more in ({}, {"dynamo": False, "opset": 18}, {"dynamo": True, "opset": 20}):
            with self.subTest(**more):
                export.from_torch(net, self.folder / "transformer.onnx", self.envs, **more)
                self.assertTrue(net.training)
                model = onnx.load(str(self.folder / "transformer.onnx"))
                if "opset" in more:
                    self.assertEqual(model.opset_import[0].version, more["opset"])
                self.plays("transformer.onnx")

    def test_attention_by_itself(self) -> None:
        export.from_torch(Attention(self.envs.description), self.folder / "attention.onnx", self.envs)
        self.plays("attention.onnx")

    def test_what_no_exporter_writes(self) -> None:
        class Odd(nn.Module):
            def forward(self, globals: Any, map: Any, units: Any, decision: Any) -> Any:
                if torch.jit.is_tracing() or torch.compiler.is_exporting():
                    raise TypeError("it is looked at")
                return globals.mean(1, keepdim=True).repeat(1, 117), globals.mean(1)

        with self.assertRaisesRegex(RuntimeError, "dynamo=False: .*; dynamo=True: "):
            export.from_torch(Odd(), self.folder / "odd.onnx", self.envs)

    def test_jax(self) -> None:
        import jax
        import jax.numpy as jnp
        from jax2onnx import to_onnx

        about = self.envs.description
        keys = jax.random.split(jax.random.PRNGKey(1), 2)
        G, A = about["shapes"]["globals"][0], len(about["actions"])
        w, v = jax.random.normal(keys[0], (G, A)), jax.random.normal(keys[1], (G, 1))

        def net(globals: Any) -> Any:
            return jnp.tanh(globals @ w) * 3, jnp.tanh(globals @ v)

        graph = to_onnx(net, inputs=[("B", G)])
        onnx.save(graph, str(self.folder / "plain.onnx"))
        ((given,), (policy, value)) = graph.graph.input, graph.graph.output
        names = {given.name: "globals", policy.name: "policy", value.name: "value"}
        export.golden(self.folder / "plain.onnx", self.folder / "jax.onnx", self.envs, names=names)
        x = np.random.default_rng(1).random((3, G), np.float32)
        out = export.outputs_of(self.folder / "jax.onnx", {"globals": x})
        np.testing.assert_allclose(out["policy"], np.asarray(net(x)[0]), atol=1e-4)
        self.plays("jax.onnx")

    def test_keras(self) -> None:
        """Keras on each of the backends that it exports from here; a backend is chosen once a process."""
        for backend in ("torch", "jax"):
            with self.subTest(backend=backend):
                about = self.envs.description
                sizes = [*about["shapes"]["globals"], *about["shapes"]["units"], len(about["actions"])]
                files = [str(self.folder / f"{backend}.{end}") for end in ("onnx", "npz")]
                command = [sys.executable, "-c", KERAS, *files, *map(str, sizes)]
                environment = {**os.environ, "KERAS_BACKEND": backend}
                done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr[-2000:])
                policy, value = onnx.load(files[0]).graph.output
                names = {policy.name: "policy", value.name: "value"}
                export.golden(files[0], self.folder / f"keras-{backend}.onnx", self.envs, names=names)
                pairs = dict(np.load(files[1]))
                out = export.outputs_of(self.folder / f"keras-{backend}.onnx", pairs)
                for name in ("policy", "value"):
                    np.testing.assert_allclose(out[name], pairs[name], atol=1e-4)
                self.plays(f"keras-{backend}.onnx")

    def test_names(self) -> None:
        export.from_torch(Attention(self.envs.description), self.folder / "attention.onnx", self.envs)
        with self.assertRaisesRegex(ValueError, "names are of the graph's inputs and outputs, .*, not 'logits'"):
            export.golden(
                self.folder / "attention.onnx", self.folder / "no.onnx", self.envs, names={"logits": "policy"}
            )


if __name__ == "__main__":
    unittest.main()

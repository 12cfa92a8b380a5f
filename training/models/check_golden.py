"""Runs ONNX models on the golden pairs they carry, in Python's onnxruntime.

usage: python training/models/check_golden.py MODEL.onnx [...]

Prints one JSON object per model: its golden pairs, and the largest difference from the recorded policy (legal actions
only) and value, per unit of size above 1. Needs numpy and onnxruntime.
"""

import base64
import json
import sys
import zlib

import numpy as np
import onnxruntime


def check(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    golden = json.loads(session.get_modelmeta().custom_metadata_map["kessel.golden"])
    size = golden["size"]

    def array(name, dtype):
        raw = zlib.decompress(base64.b64decode(golden[name]))
        return np.frombuffer(raw, dtype="<f4" if dtype == "f" else "u1")

    feeds = {}
    for i in session.get_inputs():
        dtype = "u" if i.name == "mask" else "f"
        rows = array(i.name, dtype).reshape([size, *i.shape[1:]])
        feeds[i.name] = rows.astype(bool) if i.type == "tensor(bool)" else rows
    policy, value = session.run(["policy", "value"], feeds)
    legal = array("mask", "u").reshape(policy.shape) == 1

    def worst(got, want):
        return float(np.max(np.abs(got - want) / np.maximum(1, np.abs(want))))

    return {
        "file": path,
        "pairs": size,
        "policy": worst(policy[legal], array("policy", "f").reshape(policy.shape)[legal]),
        "value": worst(value.reshape(-1), array("value", "f")),
    }


if __name__ == "__main__":
    for path in sys.argv[1:]:
        print(json.dumps(check(path)))

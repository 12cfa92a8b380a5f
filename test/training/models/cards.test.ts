import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { metadataOf } from "../../../training/models/metadata.js";
import { modelFiles } from "../../../training/models/verify-models.js";

test.each(modelFiles("models"))("%s was measured against models that are there", (file) => {
  const metadata = metadataOf(new Uint8Array(readFileSync(file)), file);
  const results = metadata?.trained.results ?? []; // a model without a card measured nothing
  const models = results.map((r) => r.against).filter((name) => /^[^:]*\.onnx$/.test(name));
  expect(models.filter((name) => !existsSync(join(dirname(file), name)))).toEqual([]);
});

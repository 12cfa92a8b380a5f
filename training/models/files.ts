import { KesselError } from "../../env/index.js";

// Files beside a model, named after it. None of them can be the model's own.

const ENDING = ".onnx";

/** The card of a model. @throws KesselError `bad-option` as all here, for a model whose name doesn't end in `.onnx` */
export const cardOf = (file: string): string => `${stemOf(file)}.md`;

export const exploiterOf = (file: string): string => `${stemOf(file)}.exploiter.onnx`;

/** Metrics of the run that made a model. */
export const curveOf = (file: string): string => `${stemOf(file)}.curve.jsonl.gz`;

function stemOf(file: string): string {
  if (!file.endsWith(ENDING))
    throw new KesselError("bad-option", `the name of a model's file ends in ${ENDING}, and ${file} doesn't`);
  return file.slice(0, -ENDING.length);
}

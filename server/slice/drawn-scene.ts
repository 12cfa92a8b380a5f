import type { Scene } from "../../env/index.js";
import { FrameLayout } from "../wire/tensors.js";
import type { Body } from "./body.js";

/** Width in px, unless the request says another. */
const WIDTH = 960;
/** Height of `rgb` for its width: always the same, so that the pictures of an episode make a film. */
const HIGH = 3 / 4;

/** A scene as the reply to `render`. What draws is loaded when it is first asked for. */
export async function drawnScene(scene: Scene, format: "svg" | "rgb", width = WIDTH): Promise<Body> {
  const { drawScene } = await import("../draw/picture.js");
  if (format === "svg") return { text: drawScene(scene, { width }) };
  const { pixelsOf } = await import("../draw/png.js");
  const { rgb, height } = await pixelsOf(drawScene(scene, { width, height: Math.round(width * HIGH) }));
  const layout = new FrameLayout();
  layout.add("pixels", "uint8", [height, width, 3]);
  return { packed: { tensors: layout.entries, data: rgb } };
}

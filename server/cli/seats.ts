import { KesselError, shown } from "../../env/index.js";

/** Collects `--seat SIDE=WHO` for commander. @throws KesselError `bad-seat` */
export function collectSeat(text: string, earlier: Record<string, string>): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1 || at === text.length - 1)
    throw new KesselError("bad-seat", `--seat takes SIDE=WHO, such as soviet=human, not ${shown(text)}`);
  return { ...earlier, [text.slice(0, at)]: text.slice(at + 1) };
}

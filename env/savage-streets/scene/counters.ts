import type { Counter, CounterState, Glyph } from "../../core/scene.js";
import type { View } from "./view.js";
import { arrivals } from "./history.js";
import { GERMANS } from "../layout.js";
import { CHIT_KINDS, type Tables } from "../data.js";
import { type UnitEntity, unitSymbol } from "../../core/symbol-codes.js";
import type { UnitId } from "../state.js";

export const FLAGS: Readonly<Record<string, CounterState>> = {
  b: "advancing",
  d: "depleted",
  f: "stopped",
  m: "moved",
  n: "new",
  s: "suppressed",
};
export const parted = (text: string): [string, string] => {
  const at = text.indexOf(":");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
};
export const chitGlyph = (kind: string): Glyph =>
  (CHIT_KINDS as readonly string[]).includes(kind) ? (kind as Glyph) : "question";
export const kindOf = (chit: string): string => chit.replace(/-\d+$/, "");
export function countersIn(tables: Tables, v: View, area: string): Counter[] {
  const doc = v.areas[area]!;
  const moving = v.decision?.unit;
  const list: Counter[] = [];
  const unit = (text: string, mayHide: boolean): void => {
    const [id, flags] = parted(text);
    const states = [...flags].flatMap((f) => FLAGS[f] ?? []);
    if (mayHide && !flags.includes("u")) states.push("hidden");
    if (id === moving) states.push("active");
    list.push({ ...unitCounter(tables, id, flags.includes("d")), place: area, states });
  };
  for (const text of doc.german) unit(text, false);
  for (const text of doc.soviet) unit(text, true);
  doc.chits.forEach((text, i) => {
    const [id, flags] = parted(text);
    const kind = kindOf(id);
    const named = id !== kind; // the Soviet player knows the chit, others its kind
    list.push({
      id: named ? id : `chit-${area}-${i + 1}`,
      kind: "counter",
      place: area,
      side: "S",
      ...(named ? { unit: id } : {}),
      glyph: chitGlyph(kind),
      name: kind,
      title: `event chit: ${kind}`,
      states: flags.includes("u") ? [] : ["hidden"],
    });
  });
  const hidden = (n: number, kind: string | undefined): void => {
    const known = arrivals(v.ledger, area);
    for (let i = 0; i < n; i++)
      list.push({
        id: `hidden-${kind === undefined ? "" : `${kind}-`}${area}-${i + 1}`,
        kind: "counter",
        place: area,
        side: "S",
        title: `face-down Soviet ${kind ?? "counter"}${known === "" ? "" : `; ${known}`}`,
        back: kind === undefined ? {} : { kind },
      });
  };
  hidden(doc.faceDown ?? 0, undefined);
  hidden(doc.faceDownUnits ?? 0, "unit");
  hidden(doc.faceDownChits ?? 0, "chit");
  return list;
}
const ENTITIES: readonly UnitEntity[] = ["infantry", "engineer", "headquarters", "armor", "antitank"];
/** The symbol of a unit: companies are engineers and SMG, assault guns and flak have their own. */
function symbolOf(tables: Tables, u: UnitId): string {
  const type = tables.data.type[u]!;
  const id = tables.data.unitIds[u]!;
  const entity: UnitEntity = id.startsWith("StuG")
    ? "self-propelled-artillery"
    : id.startsWith("FlaK")
      ? "air-defence"
      : ENTITIES[type]!;
  const small = tables.data.smg[u] === 1 || entity === "engineer";
  return unitSymbol(entity, entity === "headquarters" ? "regiment" : small ? "company" : "battalion");
}
export function unitCounter(tables: Tables, id: string, depleted = false): Counter {
  const { data } = tables;
  const u = data.unitIds.indexOf(id);
  const german = u < GERMANS;
  const value = depleted ? data.depleted[u]! : data.full[u]!;
  return {
    id,
    kind: "counter",
    side: german ? "G" : "S",
    unit: id,
    symbol: symbolOf(tables, u),
    name: id,
    title: `${id}, ${german ? "German" : "Soviet"} unit${data.red[u] === 1 ? " with a red circle" : ""}`,
    values: [{ name: "combat value", value }, ...(german ? [{ name: "movement points", value: data.mp[u]! }] : [])],
    ...(german ? { steps: { left: depleted ? 1 : 2, of: 2 } } : {}),
  };
}

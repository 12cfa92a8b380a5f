import { createHash } from "node:crypto";
import { type Counter, type Scene, type TrayItem } from "../../env/index.js";
import { drawBase } from "../draw/base.js";
import { drawCounter, looksOf } from "../draw/counter.js";
import { type Frame as BoardFrame, heightOf, px, widthOf } from "../draw/geometry.js";
import { boardLegend, legendItem, signsOf } from "../draw/legend.js";
import { drawNames } from "../draw/names.js";
import { drawOverlays, flagHeight, shapeOf } from "../draw/overlay.js";
import { arranged, type Placed } from "../draw/pieces.js";
import { THEMES } from "../draw/theme.js";
import { DIE, drawTrack, drawTray } from "../draw/trays.js";
import { type Asset, textAsset } from "./asset.js";
import type { Base, Drawing, Note, PanelDrawing, Piece, Stacked } from "./frame.js";
import { cachedDrawing, type LastMade } from "./drawing-cache.js";

/** Width of a drawn tray, px. */
const PANEL = 316;
/** Size of a base's drawing, px: large enough to be sharp when the page makes it smaller. */
const BASE_WIDTH = 1400;

/** Other words when a board is drawn otherwise than before: browsers keep what has a name for good. */
const DRAWING = "flags";

/** Trays that belong beside the decision. */
const NEAR: readonly Scene["trays"][number]["look"][] = ["dice", "hand", "battle"];

const theme = THEMES.css;

/** Boards drawn so far, by name. A board is the same for every viewer of games with the same options and data. */
export class BaseCache {
  private readonly drawn = new Map<string, { frame: BoardFrame; asset: Asset }>();
  private readonly byBoard = new WeakMap<Scene["board"], string>();

  /** Draws the board of `scene` if need be. */
  of(scene: Scene): { readonly name: string; readonly frame: BoardFrame } {
    const { board } = scene;
    const known = this.byBoard.get(board);
    if (known !== undefined) return { name: known, frame: this.drawn.get(known)!.frame };
    const name = createHash("sha256")
      .update(DRAWING + JSON.stringify(board))
      .digest("hex")
      .slice(0, 20);
    if (!this.drawn.has(name)) {
      const [left, top, right, bottom] = board.bounds;
      const tall = (bottom - top) / (right - left);
      const frame: BoardFrame = { board, unit: Math.min(BASE_WIDTH, 1500 / tall) / (right - left) };
      const asset = textAsset("application/json", Buffer.from(JSON.stringify(drawn(frame))), true);
      this.drawn.set(name, { frame, asset });
    }
    this.byBoard.set(board, name);
    return { name, frame: this.drawn.get(name)!.frame };
  }

  asset(name: string): Asset | undefined {
    return this.drawn.get(name)?.asset;
  }
}

function drawn(frame: BoardFrame): Base {
  return {
    width: widthOf(frame),
    height: heightOf(frame),
    svg: drawBase(frame, { theme }),
    names: drawNames(frame, theme),
    flag: flagHeight(frame),
    legend: boardLegend(frame.board, theme),
    hexes: frame.board.kind === "hexes",
    places: frame.board.places.map((p) => {
      const [x, y] = px(frame, p.at);
      const values = (p.values ?? []).map((v) => `${v.name} ${v.value}`);
      const stars = p.stars === undefined ? [] : [p.stars === 1 ? "1 star" : `${p.stars} stars`];
      const glyphs = (p.glyphs ?? []).map((g) => g.title);
      const ground = p.called ?? (p.terrain === "box" ? "" : p.terrain);
      const words = [ground, ...(p.features ?? []), ...glyphs, ...stars, ...values].filter((w) => w !== "");
      const name = p.name === "" || p.name === p.id ? p.id : `${p.id} ${p.name}`;
      return {
        id: p.id,
        name,
        x,
        y,
        outline: shapeOf(frame, p),
        about: [words.join(", "), p.about ?? ""].filter((w) => w !== "").join(". "),
      };
    }),
  };
}

/**
 * What the page draws of a scene besides its base.
 *
 * @param last what the last picture for the same viewer was made of
 */
export function picture(scene: Scene, bases: BaseCache, last: LastMade): Drawing {
  last.begin();
  const { name, frame } = bases.of(scene);
  const looks = looksOf(scene);
  const { overlays, sides } = scene;
  const signs = signsOf(scene);
  const here = frame.board.kind === "hexes" ? byPlace(scene) : null;
  const pieces = arranged(frame, scene).map((p): Piece => {
    const stack = here?.get(p.counter.place!) ?? [p.counter];
    return last.part(`counter ${p.counter.id}`, [p, stack, sides], () => pieceOf(p, stack, scene, looks));
  });
  const [under, over] = last.part("overlays", [name, overlays, sides], () =>
    cachedDrawing(["overlays", name, overlays, sides], () =>
      (["under", "over"] as const).map((which) => drawOverlays(frame, scene, theme, which)),
    ),
  );
  return {
    base: name,
    under: under!,
    over: over!,
    pieces,
    trays: [
      ...scene.tracks.map((t) => last.part(`track ${t.id}`, t, () => trackPanel(t))),
      ...scene.trays.map((t) => last.part(`tray ${t.id}`, [t, sides], () => trayPanel(t, scene))),
    ],
    legend: last.part("legend", [frame.board.kind, signs], () =>
      signs.map((sign) =>
        cachedDrawing(["legend", frame.board.kind, sign], () => legendItem(sign, frame.board.kind, theme)),
      ),
    ),
    notes: last.part("notes", overlays, () => notesOf(scene)),
    text: scene.text ?? "",
    caption: scene.caption,
    notice: scene.notice ?? "",
  };
}

/** On a hex map the drawn counter stands for its stack. */
function byPlace(scene: Scene): Map<string, Counter[]> {
  const stacks = new Map<string, Counter[]>();
  for (const c of scene.counters) {
    const stack = stacks.get(c.place!);
    if (stack === undefined) stacks.set(c.place!, [c]);
    else stack.push(c);
  }
  return stacks;
}

function pieceOf(
  { counter: c, x, y, size, below, badge }: Placed,
  stack: readonly Counter[],
  scene: Scene,
  looks: Looks,
): Piece {
  return {
    key: c.id,
    place: c.place!,
    ...(c.unit === undefined ? {} : { unit: c.unit }),
    ...(c.side === undefined ? {} : { side: c.side }),
    x,
    y,
    size,
    svg: counterDrawing(c, looks, size, below, badge),
    title: counterTitle(c, scene),
    about: stack.map((o) => counterTitle(o, scene)),
    hidden: c.back !== undefined,
    ...(badge < 2 ? {} : { stack: stack.map((o) => stackedOf(o, scene, looks)) }),
  };
}

/** What overlays say of places. Control and front show by the side of the counters there. */
function notesOf({ overlays }: Scene): Note[] {
  const notes: Note[] = [];
  for (const o of overlays) {
    if (o.kind === "area") notes.push({ text: o.title, places: o.places });
    if (o.kind === "flags") {
      const { title, places, worth } = o;
      if (worth === undefined) notes.push({ text: title, places, goal: true });
      else places.forEach((p, i) => notes.push({ text: `${title}, worth ${worth[i]!}`, places: [p], goal: true }));
    }
    if (o.kind === "arrow") notes.push({ text: o.title, places: [o.from, o.to] });
  }
  return notes;
}

type Looks = ReturnType<typeof looksOf>;

function counterDrawing(c: Counter, looks: Looks, size: number, below = 0, badge = 0): string {
  const look = looks.get(c.side ?? "") ?? "neutral";
  return cachedDrawing([c, look, size, below, badge], () => drawCounter(c, look, size, below, badge));
}

const sideName = (scene: Scene, side: string | undefined): string => scene.sides.find((s) => s.id === side)?.name ?? "";

/** One line that says what a counter is. */
function counterTitle(c: Counter, scene: Scene): string {
  // what a number on a back means, the counter itself says
  if (c.back?.age !== undefined) return c.title[0]!.toUpperCase() + c.title.slice(1);
  if (c.back !== undefined) return `${sideName(scene, c.side)} face-down ${c.back.kind ?? "counter"}`.trim();
  const values = (c.values ?? []).map((v) => `${v.name} ${v.value}`);
  const steps = c.steps === undefined ? [] : [`${c.steps.left} of ${c.steps.of} steps`];
  return [c.title, ...values, ...steps, ...(c.states ?? [])].join(", ");
}

/** Side of a counter drawn as part of an opened stack, px. */
const STACKED = 64;

function stackedOf(c: Counter, scene: Scene, looks: Looks): Stacked {
  return {
    key: c.id,
    ...(c.unit === undefined ? {} : { unit: c.unit }),
    size: STACKED,
    svg: counterDrawing(c, looks, STACKED),
    title: counterTitle(c, scene),
  };
}

function trackPanel(track: Scene["tracks"][number]): PanelDrawing {
  const block = cachedDrawing(["track", track], () => drawTrack(track, PANEL, theme));
  const now = track.cells.find((cell) => cell.state === "now");
  const words =
    now === undefined ? track.name : `${track.name}: now ${now.label}${now.note === undefined ? "" : `, ${now.note}`}`;
  return {
    id: `track-${track.id}`,
    name: track.name,
    stands: "far",
    svg: block.svg,
    width: PANEL,
    height: block.height,
    words,
  };
}

function trayPanel(tray: Scene["trays"][number], scene: Scene): PanelDrawing {
  const block = cachedDrawing(["tray", tray, scene.sides], () => drawTray(tray, scene, PANEL, theme));
  const dice = tray.items.flatMap((item, i) => {
    const [x, y] = block.corners[i]!;
    return item.kind === "die" && item.state === "loose" ? [{ id: item.id, title: item.title, x, y, size: DIE }] : [];
  });
  const words = `${tray.name}: ${tray.items.map((i) => itemWords(i, scene)).join("; ") || "none"}`;
  return {
    id: `tray-${tray.id}`,
    name: tray.name,
    stands: dice.length > 0 ? "asked" : NEAR.includes(tray.look) ? "near" : "far",
    svg: block.svg,
    width: PANEL,
    height: block.height,
    words,
    ...(dice.length > 0 && { dice }),
  };
}

function itemWords(item: TrayItem, scene: Scene): string {
  switch (item.kind) {
    case "counter":
      return `${item.count === undefined || item.count === 1 ? "" : `${item.count} `}${counterTitle(item, scene)}`;
    case "die":
      return `${item.title}${item.face === undefined ? "" : ` ${item.face}`}, ${item.state}`;
    case "card":
      return `${item.title}, ${item.state}`;
    case "count":
      return `${item.title} ${item.value}${item.of === undefined ? "" : ` of ${item.of}`}`;
  }
}

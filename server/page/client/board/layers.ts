import type { Choice, MapAnswer, Reach } from "../../../../env/index.js";
import type { Base, BasePlace, Drawing, Piece } from "../../frame.js";
import type { Mark } from "../opinions.js";
import { calm } from "../settings.js";

/** Height of a flag that can be read, px of the screen. */
const LEAST_FLAG = 20;

/** Side of the corner of the box that the overview takes, px. */
const CORNER = 230;
/** Counters that a place in question counts for there, and how many fewer make the overview move. */
const [MORE, FEW] = [1000, 2];

/** Height of the buttons at the lower edge, px. */
const BUTTONS = 64;

const SVG = "http://www.w3.org/2000/svg";

function make(tag: string, attributes: Readonly<Record<string, string>>, parent: Element): SVGElement {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  parent.append(node);
  return node;
}

/** Moves the end of a line towards its neighbour. */
function shorten(points: [number, number][], end: number, towards: number, by: number): void {
  const [[x, y], [tx, ty]] = [points[end]!, points[towards]!];
  const long = Math.hypot(tx - x, ty - y);
  const share = Math.min(0.35, by / long);
  points[end] = [x + (tx - x) * share, y + (ty - y) * share];
}

/** With more places than this, rings would hide a large map. One unit's move has fewer. */
const MANY = 200;

/** True when `n` places are most of the map, or too many to ring each. Of a small map all may be. */
export const isMost = ({ places }: Base, n: number): boolean =>
  places.length > 40 && (n > places.length / 2 || n > MANY);

/** The drawn map as layers of one SVG: what never changes, then what does; only what changed is written. */
export class BoardLayers {
  private readonly svg: SVGElement;
  private readonly under: SVGElement;
  private readonly marked: SVGElement;
  private readonly pieces: SVGElement;
  private readonly over: SVGElement;
  private readonly costs: SVGElement;
  private readonly drawnArrows: SVGElement;
  private readonly asked: SVGElement;
  private readonly opinionMarks: SVGElement;
  private readonly reached: SVGElement;
  private readonly planned: SVGElement;
  private readonly nodes = new Map<string, { node: SVGElement; svg: string }>();
  private readonly byId: ReadonlyMap<string, BasePlace>;
  /** The upper left corner of a place's contents. */
  private readonly corners = new Map<string, { readonly x: number; readonly y: number }>();
  private drawnUnder = "";
  private drawnOver = "";
  private scale = 0;
  /** From a place to its nearest neighbour, in the base's pixels. */
  private readonly cell: number;
  private down: { x: number; y: number; timer: ReturnType<typeof setTimeout>; long: boolean } | null = null;

  constructor(
    private readonly host: HTMLElement,
    readonly base: Base,
  ) {
    host.replaceChildren();
    this.byId = new Map(base.places.map((p) => [p.id, p]));
    const [first, ...others] = base.places;
    this.cell = Math.min(...others.map((p) => Math.hypot(p.x - first!.x, p.y - first!.y)));
    this.svg = make("svg", { viewBox: `0 0 ${base.width} ${base.height}`, "aria-hidden": "true", class: "map" }, host);
    make("g", {}, this.svg).innerHTML = base.svg;
    this.under = make("g", {}, this.svg);
    this.marked = make("g", { class: "marks" }, this.svg);
    this.pieces = make("g", { class: "pieces" }, this.svg);
    this.over = make("g", {}, this.svg);
    make("g", {}, this.svg).innerHTML = base.names;
    this.costs = make("g", { class: "costs" }, this.svg);
    this.drawnArrows = make("g", { class: "arrows" }, this.svg);
    this.reached = make("g", { class: "reach" }, this.svg);
    this.planned = make("g", { class: "arrows planned" }, this.svg);
    this.asked = make("g", { class: "asked" }, this.svg);
    this.opinionMarks = make("g", { class: "opinions" }, this.svg);
  }

  draw({ under, over, pieces }: Drawing): void {
    if (under !== this.drawnUnder) this.under.innerHTML = this.drawnUnder = under;
    if (over !== this.drawnOver) this.over.innerHTML = this.drawnOver = over;
    const seen = new Set<string>();
    this.corners.clear();
    for (const p of pieces) {
      seen.add(p.key);
      this.place(p);
      const corner = this.corners.get(p.place) ?? { x: Infinity, y: Infinity };
      this.corners.set(p.place, {
        x: Math.min(corner.x, p.x - p.size / 2),
        y: Math.min(corner.y, p.y - p.size / 2),
      });
    }
    for (const [key, { node }] of this.nodes)
      if (!seen.has(key)) {
        node.remove();
        this.nodes.delete(key);
      }
    // numbers may have been written before the counters beside them came
    for (const disc of [...this.costs.children, ...this.reached.querySelectorAll("[data-cost]")]) {
      const place = this.byId.get(disc.getAttribute("data-cost")!)!;
      disc.setAttribute("transform", this.besideCounters(place));
    }
  }

  /**
   * Rings round what may be chosen, with what it costs; the object at hand; what is picked; the place whose choices are
   * listed; what a lesson points at.
   */
  marks(
    places: ReadonlyMap<string, readonly Choice[]>,
    atHand: readonly string[],
    picked: readonly string[],
    open: string | null,
    glows: readonly string[],
  ): void {
    this.marked.replaceChildren();
    this.costs.replaceChildren();
    const most = isMost(this.base, places.size);
    for (const p of this.base.places) {
      const here = places.get(p.id);
      if (glows.includes(p.id)) make("path", { d: p.outline, class: "glow" }, this.marked);
      if (atHand.includes(p.id)) make("path", { d: p.outline, class: "at-hand" }, this.marked);
      if (here === undefined) continue;
      const careful = here.every((c) => c.warning !== null);
      // where very many places can be chosen, those with counters stand out
      const weak = most && !this.corners.has(p.id) ? " weak" : "";
      if (weak === "") make("path", { d: p.outline, class: "halo" }, this.marked);
      make("path", { d: p.outline, class: `${careful ? "careful" : "may"}${weak}`, "data-place": p.id }, this.marked);
      if (picked.includes(p.id)) make("path", { d: p.outline, class: "picked" }, this.marked);
      if (open === p.id) make("path", { d: p.outline, class: "chosen" }, this.marked);
      const { cost } = here[0]!;
      if (cost !== undefined && here.every((c) => c.cost === cost)) this.disc(this.costs, p, cost);
    }
    this.countOnce();
  }

  /** Where a unit that is being considered can get to, with what it costs. */
  reach(places: readonly Reach[]): void {
    this.reached.replaceChildren();
    for (const { place, cost } of places) {
      const p = this.byId.get(place);
      if (p === undefined) continue;
      make("path", { d: p.outline, class: "within", "data-place": p.id }, this.reached);
      this.disc(this.reached, p, cost);
    }
    this.countOnce();
  }

  /** A place shows one number: what its choice costs, where both are known. */
  private countOnce(): void {
    const shown = new Set([...this.costs.children].map((d) => d.getAttribute("data-cost")));
    for (const disc of this.reached.querySelectorAll("g"))
      disc.style.display = shown.has(disc.getAttribute("data-cost")) ? "none" : "";
  }

  /** The way that an order would take. */
  plan(way: readonly BasePlace[]): void {
    this.planned.replaceChildren();
    if (way.length > 1) this.arrow(way, this.planned);
  }

  /**
   * A number in the middle of an empty place, otherwise beside the counters: in the left corner of their hex, on their
   * corner in an area.
   */
  private disc(layer: SVGElement, place: BasePlace, cost: number): void {
    const r = this.cell * (this.base.hexes ? 0.15 : 0.08);
    const at = { transform: this.besideCounters(place), class: "cost", "data-cost": place.id };
    const node = make("g", at, layer);
    make("circle", { r: String(r) }, node);
    make("text", { y: String(r * 0.5), "font-size": String(r * 1.45), "text-anchor": "middle" }, node).textContent =
      String(cost);
  }

  private besideCounters(place: BasePlace): string {
    const corner = this.corners.get(place.id);
    const { x, y } =
      corner === undefined ? place : this.base.hexes ? { x: place.x - this.cell * 0.43, y: place.y } : corner;
    return `translate(${x} ${y})`;
  }

  /** What happened last: an arrow for each way, a dotted outline where something happened in one place. */
  arrows(list: readonly (readonly BasePlace[])[]): void {
    this.drawnArrows.replaceChildren();
    for (const way of list.slice(-24)) {
      if (way.length === 1) make("path", { d: way[0]!.outline, class: "spot" }, this.drawnArrows);
      else this.arrow(way);
    }
  }

  /**
   * What is asked of two places, and the answer: a whole line for yes, a broken one for no, a cross on what is in the
   * way.
   */
  line(from: BasePlace | undefined, to: BasePlace | undefined, answer: MapAnswer | null): void {
    this.asked.replaceChildren();
    if (from === undefined) return;
    make("path", { d: from.outline, class: "chosen" }, this.asked);
    if (to === undefined) return;
    const d = `M${from.x} ${from.y}L${to.x} ${to.y}`;
    make("path", { d, class: "halo" }, this.asked);
    make("path", { d, class: answer === null ? "waits" : answer.yes ? "yes" : "no" }, this.asked);
    for (const p of this.base.places.filter((x) => answer?.places.includes(x.id) === true)) {
      const r = this.cell * 0.2;
      const cross = `M${p.x - r} ${p.y - r}L${p.x + r} ${p.y + r}M${p.x + r} ${p.y - r}L${p.x - r} ${p.y + r}`;
      make("path", { d: cross, class: "halo" }, this.asked);
      make("path", { d: cross, class: "cross" }, this.asked);
    }
  }

  /**
   * What evaluators would do: an arrow or an outline for each of their likeliest choices, as strong as it is likely,
   * with its chance in percent. Those of a second one are beside those of the first.
   */
  opinions(marks: readonly Mark[]): void {
    this.opinionMarks.replaceChildren();
    for (const { way, probability, nth } of marks) {
      const places = way.flatMap((id) => this.byId.get(id) ?? []);
      const last = places.at(-1);
      if (last === undefined) continue;
      const aside = nth * this.cell * 0.14;
      const node = make("g", { class: `opinion k${nth}` }, this.opinionMarks);
      const drawn = make("g", { opacity: (0.25 + 0.75 * probability).toFixed(2) }, node);
      if (places.length === 1) make("path", { d: last.outline, class: "spot" }, drawn);
      else this.arrow(places, drawn, aside);
      const first = places.length === 1 ? last : places.at(-2)!;
      const [x, y] = [(first.x + last.x) / 2 + aside * 2, (first.y + last.y) / 2 + aside * 2];
      const r = this.cell * (this.base.hexes ? 0.2 : 0.1);
      const disc = make("g", { transform: `translate(${x} ${y})` }, node);
      make("circle", { r: String(r) }, disc);
      make("text", { y: String(r * 0.36), "font-size": String(r), "text-anchor": "middle" }, disc).textContent = String(
        Math.round(100 * probability),
      );
    }
  }

  /**
   * From beside the first counter to beside the last, so that both can be read.
   *
   * @param aside so far beside the straight way
   */
  private arrow(way: readonly BasePlace[], layer = this.drawnArrows, aside = 0): void {
    const points = way.map(({ x, y }): [number, number] => [x + aside, y + aside]);
    const gap = this.base.hexes ? this.cell * 0.3 : this.cell * 0.12;
    shorten(points, 0, 1, gap);
    shorten(points, points.length - 1, points.length - 2, gap);
    const d = points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x} ${y}`).join("");
    make("path", { d, class: "way-halo" }, layer);
    make("path", { d, class: "way" }, layer);
    const [x, y] = points.at(-1)!;
    const [px, py] = points.at(-2)!;
    const turn = (Math.atan2(y - py, x - px) * 180) / Math.PI;
    const at = { transform: `translate(${x} ${y}) rotate(${turn})` };
    make("path", { d: "M6 0L-10 -8V8Z", class: "tip", ...at }, layer);
  }

  /** Fits the map into its box; while nobody has zoomed, or when asked. */
  fit(box: HTMLElement, again = false): void {
    if (this.scale !== 0 && !again) return this.resize();
    const { clientWidth, clientHeight } = box;
    const wide = clientWidth / this.base.width;
    const whole = Math.min(wide, clientHeight / this.base.height);
    // where the whole map would be too small to read and to touch it is larger, and scrolls
    const phone = clientWidth < 700;
    const least = (this.base.hexes ? (phone ? 40 : 54) : phone ? 150 : 0) / this.cell;
    this.fitted = again ? whole : Math.max(whole, Math.min(least, this.base.hexes ? wide * 2.5 : wide * 1.7));
    this.scale = 0;
    this.resize();
  }

  zoom(by: number): void {
    const { scroll } = this;
    const [cx, cy] = [scroll.scrollLeft + scroll.clientWidth / 2, scroll.scrollTop + scroll.clientHeight / 2];
    const before = this.scale === 0 ? this.fitted : this.scale;
    this.scale = Math.min(4, Math.max(0.15, before * by));
    this.resize();
    const grown = this.scale / before;
    scroll.scrollTo(cx * grown - scroll.clientWidth / 2, cy * grown - scroll.clientHeight / 2);
  }

  /** A pointer's place in the base's pixels. */
  point(e: PointerEvent): [number, number] {
    const r = this.svg.getBoundingClientRect();
    return [((e.clientX - r.left) * this.base.width) / r.width, ((e.clientY - r.top) * this.base.height) / r.height];
  }

  pressed(e: PointerEvent, after: number, long: () => void): void {
    this.cancelled(); // a second finger
    const timer = setTimeout(() => {
      if (this.down === null) return;
      this.down.long = true;
      long();
    }, after);
    this.down = { x: e.clientX, y: e.clientY, timer, long: false };
  }

  /** The pointer moves: further than a tap may wander it is no long press any more. */
  moved(e: PointerEvent, most: number): void {
    const { down } = this;
    if (down !== null && Math.hypot(e.clientX - down.x, e.clientY - down.y) > most) clearTimeout(down.timer);
  }

  /** The pointer will not come up: the browser has begun to scroll, say. */
  cancelled(): void {
    if (this.down !== null) clearTimeout(this.down.timer);
    this.down = null;
  }

  /** True when the pointer came up soon, and where it went down. */
  wasTap(e: PointerEvent, most: number): boolean {
    const { down } = this;
    this.down = null;
    if (down === null) return false;
    clearTimeout(down.timer);
    return !(down.long && e.pointerType !== "mouse") && Math.hypot(e.clientX - down.x, e.clientY - down.y) <= most;
  }

  private fitted = 1;

  /** The box that the map scrolls in. */
  private get scroll(): HTMLElement {
    return this.host.parentElement!.parentElement!;
  }

  /** The part of the map that is seen, as shares of its width and height. */
  view(): { readonly left: number; readonly top: number; readonly width: number; readonly height: number } {
    const { scroll } = this;
    const { offsetWidth, offsetHeight } = this.host.parentElement!;
    const share = (part: number, whole: number): number => (part >= whole - 2 ? 1 : part / whole);
    return {
      left: scroll.scrollLeft / offsetWidth,
      top: scroll.scrollTop / offsetHeight,
      width: share(scroll.clientWidth, offsetWidth),
      height: share(scroll.clientHeight, offsetHeight),
    };
  }

  /** Brings a point into the middle, given as shares of width and height. */
  lookAt(x: number, y: number): void {
    const { scroll } = this;
    const { offsetWidth, offsetHeight } = this.host.parentElement!;
    scroll.scrollTo(x * offsetWidth - scroll.clientWidth / 2, y * offsetHeight - scroll.clientHeight / 2);
  }

  private corner: ((onLeft: boolean) => void) | null = null;
  private onLeft = false;

  /**
   * Tells when another part of the map is seen.
   *
   * @param corner learns which upper corner of the box hides less: whether it is the left one
   * @returns ends it
   */
  watch(seen: () => void, corner: (onLeft: boolean) => void): () => void {
    const { scroll } = this;
    this.corner = corner;
    corner(this.onLeft);
    scroll.addEventListener("scroll", seen, { passive: true });
    const sizes = new ResizeObserver(seen);
    sizes.observe(scroll);
    sizes.observe(this.host.parentElement!);
    return () => {
      this.corner = null;
      scroll.removeEventListener("scroll", seen);
      sizes.disconnect();
    };
  }

  /**
   * Brings places into sight, their middle into the middle, unless all are in sight.
   *
   * @param any one of them in sight is enough: where the player looks is left alone
   */
  reveal(ids: readonly string[], any = false): void {
    const places = this.base.places.filter((p) => ids.includes(p.id));
    if (places.length === 0) return;
    const { scroll } = this;
    const scale = this.scale === 0 ? this.fitted : this.scale;
    const middle = (of: "x" | "y"): number =>
      ((Math.min(...places.map((p) => p[of])) + Math.max(...places.map((p) => p[of]))) / 2) * scale;
    const inSight = (p: BasePlace): boolean => {
      const [x, y] = [p.x * scale - scroll.scrollLeft, p.y * scale - scroll.scrollTop];
      // whole, and not under the buttons
      const edge = Math.min(this.cell * 0.6 * scale, scroll.clientWidth / 8);
      return x > edge && y > edge && x < scroll.clientWidth - edge && y < scroll.clientHeight - edge - 50;
    };
    const seen = any ? places.some(inSight) : places.every(inSight);
    const within = (at: number, most: number): number => Math.max(0, Math.min(at, most));
    const left = seen
      ? scroll.scrollLeft
      : within(middle("x") - scroll.clientWidth / 2, scroll.scrollWidth - scroll.clientWidth);
    const top = seen
      ? scroll.scrollTop
      : within(middle("y") - scroll.clientHeight / 2, scroll.scrollHeight - scroll.clientHeight);
    this.keepClear(places, left, top, scale);
    if (seen) return;
    scroll.scrollTo({ left, top, behavior: calm() ? "instant" : "smooth" });
  }

  /** Says which upper corner of a map scrolled there hides less of what is brought into sight, then of counters. */
  private keepClear(shown: readonly BasePlace[], left: number, top: number, scale: number): void {
    const { clientWidth } = this.scroll;
    const counters = [...this.corners.keys()].flatMap((id) => this.byId.get(id) ?? []);
    const hidden = (onLeft: boolean): number => {
      const isIn = (p: BasePlace): boolean => {
        const x = p.x * scale - left;
        return p.y * scale - top < CORNER && (onLeft ? x < CORNER : x > clientWidth - CORNER);
      };
      return MORE * shown.filter(isIn).length + counters.filter(isIn).length;
    };
    // it stays where it is unless the other corner is clearly better
    if (hidden(this.onLeft) <= hidden(!this.onLeft) + FEW) return;
    this.onLeft = !this.onLeft;
    this.corner?.(this.onLeft);
  }

  private resize(): void {
    const scale = this.scale === 0 ? this.fitted : this.scale;
    const sheet = this.host.parentElement!;
    sheet.style.width = `${this.base.width * scale}px`;
    sheet.style.setProperty("--flag", String(Math.max(1, LEAST_FLAG / (this.base.flag * scale))));
    sheet.style.height = `${this.base.height * scale}px`;
    // you can scroll the lower edge out from under the buttons; a phone has no room to spare
    const { clientHeight, clientWidth } = this.scroll;
    const hasRoom = clientWidth >= 700 && this.base.height * scale > clientHeight + 1;
    sheet.style.marginBottom = hasRoom ? `${BUTTONS}px` : "0";
  }

  private place(p: Piece): void {
    let known = this.nodes.get(p.key);
    const first = known === undefined;
    if (known === undefined) {
      known = { node: make("g", { class: "piece", "data-key": p.key }, this.pieces), svg: "" };
      this.nodes.set(p.key, known);
    }
    const { node } = known;
    if (known.svg !== p.svg) node.innerHTML = known.svg = p.svg;
    if (first || calm()) node.style.transition = "none";
    node.style.transform = `translate(${p.x}px, ${p.y}px)`;
    if (first && !calm()) requestAnimationFrame(() => (node.style.transition = ""));
  }
}

import {
  af,
  distance,
  hasZone,
  isArmored,
  isFoot,
  isGuards,
  isHead,
  isMarine,
  isStacked,
  isUnderlined,
  isVehicle,
  leads,
  neighbours,
  type Position,
  together,
  type Unit,
} from "./position.js";

// Written from the lists of SOS 9.71, 9.72, 9.73, 14.31 and 14.6 and the rulings, not from the engine.

export type Drms = Record<string, number>;

/**
 * Terrain Effects Chart (reconstructed): the highest value of a hex counts; of ravines and cliffs for foot only. Ruling
 * R21.
 */
const TEC: Record<string, number> = { suburb: 1, forest: 1, city: 2, industrial: 3, strongpoint: 3, hilltop: 1 };
const FOOT_ONLY = ["balka", "cliff"];
/** 26 September. Rule: SOS 9.93 */
const MOLOTOV = 14;
const DIVISION = 2;
const REGIMENT = 3;
const BATTALION = 4;

/** Keeps what is not 0, as records do. */
const some = (drms: Drms): Drms => Object.fromEntries(Object.entries(drms).filter(([, value]) => value !== 0));
const anyPair = (units: readonly Unit[], test: (a: Unit, b: Unit) => boolean): boolean =>
  units.some((a, i) => units.slice(i + 1).some((b) => test(a, b)));
const hexesOf = (units: readonly Unit[]): string[] => [...new Set(units.map((u) => u.at))];

/** A gun that fires, who spots for it, and a leader beside the target who does. */
export interface Spotted {
  readonly gun: Unit;
  readonly by: Unit;
}

/** Whose command a gun is in. Rule: SOS 14.32 to SOS 14.39 */
function inCommand(p: Position, by: Unit, gun: Unit): boolean {
  const chief = isHead(by) || by.kind === "op";
  if (gun.kind === "flak88") return chief;
  const host =
    gun.german && gun.path.length < DIVISION
      ? p
          .in(gun.at, true)
          .find((u) => u.path.length === DIVISION && ["howitzer", "field-gun", "rocket"].includes(u.kind))
      : undefined;
  const own = (host ?? gun).path;
  const holds = (above: readonly string[], below: readonly string[]) =>
    above.length > 0 && above.length <= below.length && above.every((part, i) => part === below[i]);
  if (own.length >= DIVISION) return holds(own, by.path) || (chief && holds(by.path, own));
  if (by.kind === "op") return by.type["opLevel"] === "LI" || by.type["opLevel"] === "62A";
  return isHead(by) && (by.type["army"] === true || (by.kind === "commissar" && by.path.length === 1));
}

/** The table of SOS 14.31; the worst of several guns counts. Ruling R22. */
function spotting(p: Position, guns: readonly Spotted[], hex: string): number {
  const values = guns.map(({ gun, by }) => {
    if (by.id === gun.id) return 0;
    const own = inCommand(p, by, gun);
    if (by.kind === "op") return own ? -1 : 1;
    if (distance(by.at, hex) === 1) return own ? 0 : 3;
    return own ? 2 : 4;
  });
  return guns.length === 0 ? 0 : Math.max(...values);
}

/** Of what every fire has: out of supply, NKVD. Rule: SOS 16.82, SOS 19.5 */
const ofFirers = (units: readonly Unit[]): Drms => ({
  oos: Math.max(0, ...units.map((u) => (u.doc["oos"] ?? 0) as number)),
  nkvd: units.some((u) => u.type["nkvd"] === true) ? 1 : 0,
});

/**
 * Armor in the target and no underlined AF among those who fire; later Soviets beside it in built-up hexes do without.
 * Rule: SOS 9.92, SOS 9.93
 */
function armorTarget(
  p: Position,
  target: readonly Unit[],
  hex: string,
  firers: readonly Unit[],
  stukas: number,
): number {
  if (!target.some(isArmored) || firers.some(isUnderlined)) return 0;
  const spared = (u: Unit) => !u.german && p.turn >= MOLOTOV && p.isBuiltUp(hex) && distance(u.at, hex) <= 1;
  return stukas > 0 || firers.some((u) => !spared(u)) ? 1 : 0;
}

/** Terrain, fort and leaders: what the target's hex gives. */
function ofTarget(p: Position, hex: string, german: boolean, attackedBeside: (hex: string) => boolean): Drms {
  const there = p.in(hex, german);
  // targets: combat units, snipers included (9.81); an observer only without any of them (14.97)
  const fighters = there.filter((u) => isStacked(u) || u.kind === "sniper");
  const targets = fighters.length > 0 ? fighters : there.filter((u) => u.kind === "op");
  const values = [p.terrain(hex), ...p.features(hex)].map((t) =>
    FOOT_ONLY.includes(t) ? (targets.some((u) => !isVehicle(u)) ? 1 : 0) : (TEC[t] ?? 0),
  );
  const beside = neighbours(hex).some(
    (h) =>
      !attackedBeside(h) &&
      p
        .in(h, german)
        .some((u) => u.kind === "leader" && u.type["hero"] === undefined && targets.some((v) => leads(u, v))),
  );
  return {
    terrain: Math.max(...values),
    fort: there.some((u) => u.kind === "fortification") && targets.some((u) => !isArmored(u)) ? 1 : 0,
    "enemy-leader": there.some(isHead) ? 1 : 0,
    "adjacent-leader": beside ? 1 : 0,
  };
}

/** A fire at attackers or movers. @param guns of the firers, those that use their AF */
export function expectedFire(
  p: Position,
  firers: readonly Unit[],
  guns: readonly Spotted[],
  hex: string,
  target: readonly Unit[],
  byTable: boolean,
): Drms {
  const spot = spotting(p, guns, hex);
  const led = guns.some(({ gun, by }) => by.id !== gun.id && by.type["named"] === true && distance(by.at, hex) === 1);
  const common = { spot, ...ofFirers(firers) };
  if (byTable) return some({ ...common, "leader-spot": led ? -1 : 0 });
  const german = firers[0]!.german;
  const inHex = (u: Unit, v: Unit) => u.at === v.at;
  const snipers = p.units.filter((u) => u.kind === "sniper" && firers.some((f) => !f.german && f.at === u.at));
  const picked = firers.filter((u) => isFoot(u) && (u.german || isGuards(u) || isMarine(u)));
  return some({
    ...common,
    "armor-target": armorTarget(p, target, hex, firers, 0),
    "integ-bn-good": anyPair(picked, (a, b) => inHex(a, b) && together(a, b, BATTALION)) ? -1 : 0,
    "integ-armor": panzers(firers, 2) ? -1 : 0,
    disrupted: firers.some((u) => u.doc["pinned"] === true || u.doc["spent"] === true) ? 1 : 0,
    "target-leader": p.in(hex, !german).some(isHead) ? 1 : 0,
    "volga-target": german && p.terrain(hex) === "volga" && target.some((u) => u.kind !== "river-flotilla") ? -1 : 0,
    leader: firers.some((u) => p.in(u.at, german).some(isHead)) ? -1 : 0,
    sniper: -Math.max(0, ...snipers.map((u) => u.type["sniper"] as number)),
  });
}

/** Tanks and StuGs of one regiment or independent battalion in one hex. Rule: SOS 9.73 */
function panzers(units: readonly Unit[], least: number): boolean {
  const tanks = units.filter((u) => u.german && (u.kind === "tank" || u.kind === "stug"));
  const same = (a: Unit, b: Unit) =>
    a.at === b.at &&
    (a.type["battalion"] === undefined
      ? b.type["battalion"] === undefined && together(a, b, REGIMENT)
      : a.type["battalion"] === b.type["battalion"]);
  return tanks.some((a) => tanks.filter((b) => same(a, b)).length >= least);
}

/** Guns and Stukas that bombard. Rule: SOS 14.6 */
export function expectedBombs(
  p: Position,
  guns: readonly Spotted[],
  stukas: number,
  seenFromAir: boolean,
  hex: string,
  german: boolean,
  byTable: boolean,
  attackedBeside: (hex: string) => boolean,
): Drms {
  const firers = guns.map(({ gun }) => gun);
  const target = ofTarget(p, hex, !german, attackedBeside);
  const led = guns.some(({ gun, by }) => by.id !== gun.id && by.type["named"] === true && distance(by.at, hex) === 1);
  const common = {
    spot: spotting(p, guns, hex),
    lwop: stukas > 0 && guns.length === 0 && seenFromAir ? -1 : 0,
    ...ofFirers(firers),
  };
  if (byTable) return some({ ...common, fort: target["fort"]!, "leader-spot": led ? -1 : 0 });
  return some({ ...common, ...target, "armor-target": armorTarget(p, p.in(hex, !german), hex, firers, stukas) });
}

/** What an attack has besides its attackers. */
export interface Attack {
  readonly hex: string;
  /** Attackers that are left, leaders among them. */
  readonly units: readonly Unit[];
  readonly guns: readonly Spotted[];
  readonly stukas: number;
  readonly seenFromAir: boolean;
  readonly engineers: boolean;
  readonly armor: boolean;
  readonly attackedBeside: (hex: string) => boolean;
}

/** An attack with direct fire in it. Rule: SOS 9.71, SOS 9.73 */
export function expectedAttack(p: Position, a: Attack): Drms {
  const { hex, units } = a;
  const { german } = units[0]!;
  const fighters = units.filter((u) => !isHead(u));
  const shelling = (u: Unit) => a.guns.some(({ gun }) => gun.id === u.id);
  const direct = fighters.filter((u) => !shelling(u) && af(u) > 0);
  const foot = fighters.filter((u) => isFoot(u) && u.path.length >= DIVISION);
  const picked = (marines: boolean) => foot.filter((u) => u.german || isGuards(u) || (marines && isMarine(u)));
  const regiment = picked(false).some((x) => {
    const same = foot.filter((y) => together(x, y, REGIMENT));
    return same.length >= 4 && hexesOf(same).length >= 2;
  });
  const flags = p
    .in(hex, !german)
    .filter((u) => isStacked(u) && u.kind !== "armored-train" && u.path.length >= DIVISION);
  const heads = units.filter((u) => isHead(u) && fighters.some((f) => f.at === u.at));
  return some({
    ...ofTarget(p, hex, !german, a.attackedBeside),
    ...ofFirers(fighters),
    ...penalties(units, foot),
    spot: spotting(p, a.guns, hex),
    lwop: a.stukas > 0 && a.guns.length === 0 && a.seenFromAir ? -1 : 0,
    "if-support": a.guns.length > 0 && direct.length > 0 ? -1 : 0,
    "armor-target": armorTarget(p, p.in(hex, !german), hex, fighters, a.stukas),
    assault: isAssaulted(p, hex, german, direct) ? -1 : 0,
    engineer: a.engineers ? -1 : 0,
    "combined-arms": a.armor ? -1 : 0,
    leader: -heads.length,
    "integ-bn-good": anyPair(picked(true), (x, y) => x.at === y.at && together(x, y, BATTALION)) ? -1 : 0,
    "integ-rg-good": regiment ? -1 : 0,
    "integ-div-good": anyPair(flags, (x, y) => !together(x, y, DIVISION)) ? -1 : 0,
    "integ-armor": p.isClear(hex) && panzers(fighters, 3) ? -1 : 0,
    volga: fighters.some((u) => p.terrain(u.at) === "volga") ? 1 : 0,
  });
}

/** What mixed hexes of attackers cost, where no leader of one of them attacks with them. Rule: SOS 9.73, ruling R33 */
function penalties(units: readonly Unit[], foot: readonly Unit[]): Drms {
  const drms: Drms = { "integ-bn-bad": 0, "integ-rg-bad": 0, "integ-div-bad": 0 };
  for (const hex of hexesOf(foot)) {
    const here = foot.filter((u) => u.at === hex);
    const led = units.some(
      (u) =>
        isHead(u) &&
        u.at === hex &&
        u.type["hero"] === undefined &&
        units.some((v) => v !== u && v.at === hex && leads(u, v)),
    );
    if (led) continue;
    const differ = (parts: number) =>
      anyPair(here, (x, y) => x.path.length >= parts && y.path.length >= parts && !together(x, y, parts));
    const [battalions, regiments] = [differ(BATTALION), differ(REGIMENT)];
    if (battalions) drms["integ-bn-bad"] = 1;
    if (regiments) drms["integ-rg-bad"] = 1;
    if (!battalions && !regiments && differ(DIVISION)) drms["integ-div-bad"] = 1;
  }
  return drms;
}

/** From three hexes, two of them opposite, with no way out for the defender. Rule: SOS 9.71, ruling R31 */
function isAssaulted(p: Position, hex: string, german: boolean, direct: readonly Unit[]): boolean {
  const round = neighbours(hex);
  const from = round.map((h) => direct.some((u) => u.at === h));
  const controls = (h: string) => p.in(h, german).some(hasZone);
  const closed = round.every((h) => controls(h) || (!p.isBuiltUp(h) && neighbours(h).some((n) => controls(n))));
  return closed && from.filter(Boolean).length >= 3 && [0, 1, 2].some((i) => from[i]! && from[i + 3]!);
}

import type { Game, StateView } from "../../../env/index.js";
import {
  AREAS,
  CITY_FIRST,
  CITY_LAST,
  GUMRAK,
  loadTables,
  type Tables,
  VOLGA,
  Z,
  type AreaId,
} from "../../../env/pocket-stalingrad/data.js";
import {
  ARTILLERY,
  areasOf,
  cmdOf,
  GERMAN,
  hasRight,
  DECISION,
  L,
  PIONEERS,
  phaseOf,
  PHASES,
  reserveOf,
  SOVIET,
  unitsIn,
  areaOf,
} from "../../../env/pocket-stalingrad/state.js";

/** How much of the turn is still to come when an area is judged. */
const SOVIET_TURN = 0; // the German side has its whole turn before combat
const GERMAN_DICE = 1;
const GERMAN_AIR = 2;
const BEFORE_COMBAT = 3;
const RESOLVED = 4; // attrition in the area is over
const STAGES = 5;

/**
 * Chances that 0, 1, 2, ... units are still added (or killed from the air) in an area, by stage: guesses that play
 * well.
 */
const GERMAN_ADDS = [[0.45, 0.25, 0.18, 0.12], [0.75, 0.17, 0.08], [0.92, 0.08], [1], [1]] as const;
const AIR_KILLS = [[0.65, 0.23, 0.12], [0.75, 0.17, 0.08], [1], [1], [1]] as const;
/** The same for Soviet crossings, when there are units and CMD for any. */
const CROSSINGS = [[0.6, 0.26, 0.14], [0.6, 0.26, 0.14], [0.6, 0.26, 0.14], [0.75, 0.25], [1]] as const;

const FORT_STATES = 3; // none, shield available, shield used
const COMBAT = PHASES.indexOf("combat");
const VICTORY = PHASES.indexOf("victory");

/** Value of a command point that may still buy something, and of a unit off the city areas. */
const CMD_FOR_CROSSING = 5;
const CMD_SPARE = 1.2;
const ON_VOLGA = 3;
const ON_GUMRAK = 4.5;
const IN_Z = 2.2;
const WON = 400;

/**
 * Worth of a position in the Soviet view: for each city area the chance of capture by either side if combat and victory
 * came with nothing but the usual surprises in between, weighed by what a capture means now. Tables are made once.
 */
export class Outlook {
  readonly tables: Tables;
  /**
   * Per [stage][crossing possible][area][soviet][german][fort][marker]: chance of Soviet, of German capture, worth of
   * the rest.
   */
  private readonly table: Float64Array;

  constructor(game: Game) {
    this.tables = loadTables(game.type.data, game.options);
    this.table = new Float64Array(STAGES * 2 * 5 * 49 * FORT_STATES * 2 * 3);
    for (let stage = 0; stage < STAGES; stage++)
      for (let cross = 0; cross < 2; cross++)
        for (let area = CITY_FIRST; area <= CITY_LAST; area++)
          for (let n = 0; n < 49; n++)
            for (let fort = 0; fort < FORT_STATES; fort++)
              for (let marker = 0; marker < 2; marker++)
                this.fill(stage, cross, area, Math.floor(n / 7), n % 7, fort, marker);
  }

  private index(
    stage: number,
    cross: number,
    area: AreaId,
    soviet: number,
    german: number,
    fort: number,
    marker: number,
  ): number {
    return ((((((stage * 2 + cross) * 5 + area - 1) * 7 + soviet) * 7 + german) * FORT_STATES + fort) * 2 + marker) * 3;
  }

  private fill(
    stage: number,
    cross: number,
    area: AreaId,
    soviet: number,
    german: number,
    fort: number,
    marker: number,
  ): void {
    const at = this.index(stage, cross, area, soviet, german, fort, marker);
    const crossings: readonly number[] = cross === 1 ? CROSSINGS[stage]! : [1];
    crossings.forEach((pc, c) =>
      GERMAN_ADDS[stage]!.forEach((pg, g) =>
        AIR_KILLS[stage]!.forEach((pk, k) => {
          const p = pc * pg * pk;
          const absorbed = marker === 1 ? k : fort === 1 && k > 0 ? 1 : 0;
          const s = Math.min(6, Math.max(0, soviet - (marker === 1 ? 0 : k - absorbed)) + c);
          this.add(
            at,
            p,
            area,
            s,
            Math.min(6, german + g),
            fort === 1 && absorbed > 0 && marker === 0 ? 2 : fort,
            marker,
            stage === RESOLVED,
          );
        }),
      ),
    );
  }

  /** Adds what attrition and capture would make of one area. */
  private add(
    at: number,
    p: number,
    area: AreaId,
    soviet: number,
    german: number,
    fort: number,
    marker: number,
    resolved: boolean,
  ): void {
    let s = soviet;
    let g = german;
    if (!resolved && marker === 0 && s > 0 && g > 0) {
      const kills = g - (fort === 1 ? 1 : 0);
      g = Math.max(0, g - soviet);
      s = Math.max(0, s - kills);
    }
    const stars = this.tables.stars[area]!;
    const winner =
      s === g || Math.max(s, g) < stars || (area === this.tables.grainElevator && Math.min(s, g) > 0)
        ? -1
        : s > g
          ? SOVIET
          : fort > 0 && s > 0
            ? -1
            : GERMAN;
    if (winner >= 0) this.table[at + winner]! += p;
    else
      this.table[at + 2]! +=
        p * ((8 * (Math.min(s, stars) - Math.min(g, stars))) / stars + 0.8 * (s - g) + (fort > 0 && s > 0 ? 3 : 0));
  }

  private stageOf(s: StateView): number {
    const phase = phaseOf(s);
    if (phase === COMBAT) return BEFORE_COMBAT;
    if (phase === VICTORY) return RESOLVED;
    if (s[L.active] === SOVIET) return SOVIET_TURN;
    if (phase < 2) return GERMAN_DICE;
    const kind = s[L.kind]!;
    return kind === DECISION.announce ||
      kind === DECISION.reduce ||
      kind === DECISION.air ||
      kind === DECISION.cancel ||
      kind === DECISION.raze ||
      kind === DECISION.sturm
      ? GERMAN_AIR
      : BEFORE_COMBAT;
  }

  /** Worth of one more captured area to a side that has `own`. */
  private captureWorth(s: StateView, own: number, vp: number): number {
    if (own >= this.tables.areasToWin - 1) return 130;
    return (s[L.turn]! >= this.tables.turns ? 60 : own === 1 ? 42 : 36) + vp;
  }

  /** Worth of the current position, with its decision pending. */
  worth(s: StateView): number {
    const winner = s[L.winner]!;
    if (s[L.kind] === DECISION.over) return winner === 1 ? WON : winner === 2 ? -WON : 0;
    const { tables } = this;
    const last = s[L.turn]! >= tables.turns;
    const stage = this.stageOf(s);
    const canCross =
      stage !== RESOLVED && s[L.active] !== 2 && cmdOf(s, SOVIET) > 0 && unitsIn(s, SOVIET, VOLGA) > 0 ? 1 : 0;
    const soviet = areasOf(s, SOVIET);
    const german = areasOf(s, GERMAN);
    const inCombat = phaseOf(s) === COMBAT;
    const now = !inCombat
      ? 0
      : s[L.kind] === DECISION.fight
        ? tables.combatOrder.indexOf(Z)
        : s[L.area] === 0
          ? tables.combatOrder.length
          : tables.combatOrder.indexOf(areaOf(s));
    let sum = 40 * (soviet - german);
    for (let a = CITY_FIRST; a <= CITY_LAST; a++) {
      const by = s[L.captured + a]!;
      const vp = tables.vp[a]!;
      if (by !== 0) {
        sum += by === 1 ? vp : -vp;
        continue;
      }
      const fort = s[L.fort + a] === 0 ? 0 : s[L.shieldUsed + a] === 1 ? 2 : 1;
      const settled = inCombat && tables.combatOrder.indexOf(a) < now ? RESOLVED : stage;
      const at = this.index(
        settled,
        canCross,
        a,
        s[L.units + a]!,
        s[L.units + AREAS + a]!,
        fort,
        s[L.artillery] === a ? 1 : 0,
      );
      const rest = this.table[at + 2]!;
      sum +=
        this.table[at]! * this.captureWorth(s, soviet, vp) -
        this.table[at + 1]! * this.captureWorth(s, german, vp) +
        (last ? 0.1 * rest : rest);
    }
    return sum + (last ? 0.3 : 1) * this.means(s, stage);
  }

  /** Worth of units off the city areas, of command points and of the limits of both Areas 6. */
  private means(s: StateView, stage: number): number {
    const volga = unitsIn(s, SOVIET, VOLGA);
    const gumrak = unitsIn(s, GERMAN, GUMRAK);
    let sum =
      ON_VOLGA * volga -
      ON_GUMRAK * gumrak +
      IN_Z * (unitsIn(s, SOVIET, Z) - unitsIn(s, GERMAN, Z)) +
      0.5 * (s[L.max6]! - s[L.max6 + 1]!);
    if (reserveOf(s, SOVIET) < 3) sum += 1;
    if (reserveOf(s, GERMAN) < 3) sum -= 1;
    const cmd = cmdOf(s, SOVIET);
    const crossing = stage <= BEFORE_COMBAT && s[L.active] !== 2 ? Math.min(cmd, volga) : 0;
    sum += CMD_FOR_CROSSING * crossing + CMD_SPARE * (cmd - crossing) * (hasRight(s, SOVIET, ARTILLERY) ? 2 : 1);
    const left = cmdOf(s, GERMAN);
    const useful = (hasRight(s, GERMAN, PIONEERS) ? 2 : 0) + (hasRight(s, GERMAN, ARTILLERY) ? 1 : 0);
    const forAir = stage <= GERMAN_AIR && s[L.active] === GERMAN ? Math.min(left, gumrak) : 0;
    return sum - 3.5 * Math.max(Math.min(left, useful), forAir) - CMD_SPARE * 0.5 * left;
  }
}

/** Worth at which a win is as good as certain: chosen by results of play. */
const SURE = 120;

/** `Outlook.worth` as a return. */
export function returnsOf(game: Game): (s: StateView) => number {
  const outlook = new Outlook(game);
  return (s) => Math.tanh(outlook.worth(s) / SURE);
}

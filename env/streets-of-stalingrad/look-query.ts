import { counted, listed, signed } from "../core/words.js";
import type { MapAnswer, MapQuestion } from "../core/game.js";
import type { Board } from "./map/board.js";
import { featureNames } from "./names.js";
import { SIGHT_RANGE } from "./map/sight.js";
import type { Spotting } from "./charts.js";

/** Questions of players about the map. */
export const LOOK: MapQuestion = {
  kind: "look",
  name: "Line of sight",
  about: "from one hex to another: who sees, what blocks, and the modifiers that come of it",
};

/**
 * What the ground lets anybody see between two hexes, in words. Asks the map alone: no counter comes into it, so
 * nothing hidden can either. Rule: SOS 9.31, SOS 14.25, SOS 14.31, ruling R91
 */
export function look(board: Board, spotting: Spotting, from: number, to: number): MapAnswer {
  const { sight } = board;
  const distance = board.distance(from, to);
  const [fire, unit, op] = [sight.clear(from, to), sight.spots(from, to, false), sight.spots(from, to, true)];
  const blocks = [sight.blockedBy(from, to, false), sight.blockedBy(from, to, true)];
  const places = [...new Set(blocks.filter((b): b is string => b !== null && board.index(b) >= 0))];
  return {
    yes: fire,
    text: `${board.ids[from]!} to ${board.ids[to]!}, ${counted(distance, "hex", "hexes")}: ${fire ? "a clear line" : "no line of sight"}`,
    says: [
      fire
        ? {
            text: `Units in one see counters in the other${distance > SIGHT_RANGE ? ", but for the distance" : ""}.`,
            rule: "SOS 9.31",
          }
        : { text: `${blockText(board, blocks[0]!)} blocks the line.`, rule: "SOS 9.33" },
      { text: spotText(board, unit, op, blocks[1] ?? null), rule: "SOS 14.25" },
      ...(unit || op ? [{ text: costText(spotting, unit, op, distance), rule: "SOS 14.31" }] : []),
      ...(board.hexes[from]!.wall === undefined && board.hexes[to]!.wall === undefined ? [] : [WALL]),
      { text: groundText(board, to), rule: "SOS 9.71" },
    ],
    places,
  };
}

const WALL = {
  text: "A vehicle on the Tartar Wall is on one side of it: neither sees the other side, however near.",
  rule: "SOS 9.40",
};

/** `0706 (city)`; hexes outside the bounds have their number only. */
function blockText(board: Board, id: string): string {
  const h = board.index(id);
  if (h < 0) return `${id}, outside the map,`;
  return `${id} (${[board.terrainOf(h), ...featureNames(board, h)].join(", ")})`;
}

function spotText(board: Board, unit: boolean, op: boolean, block: string | null): string {
  if (unit) return "Units, leaders and OPs may spot the target for guns.";
  if (op) return "Only an OP may spot the target for guns: this place is open to it.";
  return block === null
    ? "Too far to spot for guns from this height."
    : `Nobody spots for guns: ${blockText(board, block)} is in the way.`;
}

/** The modifier of spotting for the die of guns. */
function costText({ drm, namedLeaderAdjacent }: Spotting, unit: boolean, op: boolean, distance: number): string {
  const near = distance === 1;
  const modifierText = (n: number): string => (n === 0 ? "0" : signed(n));
  const ways = [
    ...(op ? [`an OP ${modifierText(drm["op-own"])} (of another command ${modifierText(drm["op-other"])})`] : []),
    ...(unit
      ? [
          `the gun itself ${modifierText(drm.self)}`,
          `another unit ${modifierText(near ? drm["adjacent-own"] : drm["area-own"])} (of another command ${modifierText(near ? drm["adjacent-other"] : drm["area-other"])})`,
        ]
      : []),
    ...(unit && near ? [`a named leader ${modifierText(namedLeaderAdjacent)} more on the bombardment table`] : []),
  ];
  return `Spotting adds to the die: ${listed(ways, "nobody")}.`;
}

/** Modifiers of the ground that a target there has. */
function groundText(board: Board, hex: number): string {
  const [foot, other] = [board.footDrm[hex]!, board.drm[hex]!];
  const modifierText = (n: number): string => (n === 0 ? "no modifier" : signed(n));
  const who =
    foot === other ? modifierText(foot) : `${modifierText(foot)} for foot units, ${modifierText(other)} for others`;
  return `Ground of ${board.ids[hex]!} on the combat table: ${who}.`;
}

import { attacks } from "./table.js";

/** Keeps the attack phase open when the attack under test is over. */
export const ELSEWHERE = { gx: "g-inf 3030", gy: "g-inf 3030", sx: "s-inf 3031" };
export const phase5 = (...targets: string[]) => attacks(5, ...targets, "3031");
export const three = { g1: "g-inf 2009", g2: "g-inf 2009", g3: "g-inf 2009" };

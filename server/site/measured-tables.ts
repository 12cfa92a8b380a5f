import { readFileSync } from "node:fs";
import { balanceTable, readBalance } from "../../training/arena/balance.js";
import { readRegret, regretTable } from "../../training/arena/regret.js";

/** A table of measured figures. The page has it between two comments with its name. */
export interface MeasuredTable {
  readonly page: string;
  readonly name: string;
  readonly rows: readonly string[];
}

const figures = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../models/${name}.json`, import.meta.url), "utf8"));

/** Every table that `npm run reports -- readme` writes into pages other than the README. */
export const measuredTables = (): MeasuredTable[] => [
  { page: "models/README.md", name: "balance", rows: balanceTable(readBalance(figures("balance")).rows) },
  { page: "training/README.md", name: "regret", rows: regretTable(readRegret(figures("regret"))) },
];

import type { Written } from "../../core/schema.js";
import type { Doc } from "../notation/schema.js";

type Position = Written<Doc>;

/** The player's view as the scene reads it: see `writePosition`. */
export type View = Omit<Position, "active" | "battle" | "result"> &
  Partial<Pick<Position, "active" | "battle" | "result">>;

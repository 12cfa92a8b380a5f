import { importHeuristics } from "../agents/heuristics/index.js";
import { gameIds, importGames } from "../env/index.js";

// Tests ask for games at any place; programs load the code of a game when they need it.
await importGames();
await Promise.all(gameIds().map(importHeuristics));

import { start } from "./run.js";

await start();

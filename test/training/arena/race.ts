import type { Agent } from "../../../agents/agent.js";
import { type Game, resolveOptions } from "../../../env/index.js";
import { race } from "../../toys/race.js";

export const raceGame = (): Game => race.load(resolveOptions(race), race.data);

/** A rule of thumb for Race: two dice at a time, take the highest first, take them all, hold from 8 points on. */
export class RaceExpert implements Agent {
  readonly name = "expert";

  act({ game, size, observation, mask }: Parameters<Agent["act"]>[0], out: Int32Array): void {
    const A = game.actions.length;
    const action = (name: string) => game.actions.indexOf(name);
    const takes = [6, 5, 4, 3, 2].map((face) => action(`keep ${face}`));
    for (let i = 0; i < size; i++) {
      const legal = (a: number) => mask[i * A + a] === 1;
      const pot = Math.round(observation.globals[i * 3 + 1]! * 54);
      const take = takes.find(legal);
      const hold = legal(action("hold")) && (pot >= 8 || !legal(action("roll 2")));
      out[i] = take ?? (hold ? action("hold") : action("roll 2"));
    }
  }
}

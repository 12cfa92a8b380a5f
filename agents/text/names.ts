import type { Scene } from "../../env/index.js";

/** A place as texts name it: its number, and its printed name if it has one. */
export const placeName = (id: string, name: string): string => (name === "" || name === id ? id : `${id} ${name}`);

/** A side's name for people, by its id. */
export const sideName = (scene: Scene, id: string): string => scene.sides.find((side) => side.id === id)?.name ?? id;

/** The terrain of a place in the game's own word, which actions and rules use. */
export const terrainName = ({ terrain, called }: Scene["board"]["places"][number]): string => called ?? terrain;

/** Draws the pictures of the README and the site: `npm run pictures`. */
import { drawPictures } from "./draw-pictures.js";

await drawPictures(".github");

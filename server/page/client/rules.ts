/** The page of a game's rules: colours as chosen, and a field that finds rules. The page is complete without it. */
import { stored } from "./stored.js";

const theme = stored<"system" | "light" | "dark">("theme", "system");
if (theme !== "system") {
  document.documentElement.dataset["theme"] = theme;
  for (const source of document.querySelectorAll("source")) source.media = theme === "dark" ? "all" : "not all";
}

/** A rule that isn't played is folded away. */
function unfold(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const folded = target?.closest("details") ?? null;
  if (target === null || folded === null || folded.open) return;
  folded.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();

const field = document.querySelector<HTMLInputElement>("#find")!;
const statusLine = document.querySelector("[role=status]")!;
const PARTS = "section > p, section figure, .rules > div";

/** Leaves the parts that hold every word. */
function find(): void {
  const words = field.value
    .toLowerCase()
    .split(/\s+/)
    .filter((w) => w !== "");
  const fits = (part: Element): boolean => words.every((w) => part.textContent!.toLowerCase().includes(w));
  let found = 0;
  document.querySelectorAll("section").forEach((section, i) => {
    const parts = [...section.querySelectorAll<HTMLElement>(PARTS)];
    const whole = words.length === 0 || fits(section.querySelector("h2")!);
    for (const part of parts) {
      part.hidden = !whole && !fits(part);
      if (!part.hidden) found++;
    }
    section.hidden = parts.every((part) => part.hidden);
    document.querySelectorAll<HTMLElement>("nav ol li")[i]!.hidden = section.hidden;
    const folded = section.querySelector("details");
    if (folded === null) return;
    const inside = [...folded.querySelectorAll<HTMLElement>(".rules > div")].some((part) => !part.hidden);
    folded.hidden = !inside;
    folded.open = words.length > 0 && inside;
  });
  statusLine.textContent = words.length === 0 ? "" : found === 0 ? "Nothing found." : `${found} found`;
}
field.parentElement!.hidden = false;
field.addEventListener("input", find);

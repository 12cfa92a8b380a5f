import { GUIDE_LENGTHS } from "../../env/index.js";
import { type LlmSettings, parseLlm, TOOLS } from "./settings.js";

/** Settings that builders of agents compare, each with its choices. */
const CHOICES = {
  rules: ["none", ...GUIDE_LENGTHS],
  memory: ["none", "NUMBER", "all", "notes"],
  tools: ["none", "all", ...TOOLS],
  form: ["actions", "orders"],
  answer: ["once", "check"],
} as const satisfies { readonly [K in keyof LlmSettings]?: readonly string[] };

export const COMPARED = Object.keys(CHOICES) as (keyof typeof CHOICES)[];

/** The compared settings with their choices: `rules=none|short|medium|long`. */
export const CHOICES_TEXT = COMPARED.map((key) => `${key}=${CHOICES[key].join("|")}`).join(" ");

/** A setting as it is written after the address: `odds+look`, `none`. */
export const written = (settings: LlmSettings, key: keyof LlmSettings): string =>
  key === "tools" ? settings.tools.join("+") || "none" : [settings[key] ?? "default"].flat().join("/");

const DEFAULTS = parseLlm("http://127.0.0.1/v1,model=any");

/**
 * The compared settings that are not the default: `memory=3, tools=odds`, or `default`.
 *
 * @param of a setting in words; undefined for one that an older version did not have
 */
export function settingsText(of: (key: (typeof COMPARED)[number]) => string | undefined): string {
  const differ = COMPARED.filter((key) => (of(key) ?? written(DEFAULTS, key)) !== written(DEFAULTS, key));
  return differ.map((key) => `${key}=${of(key)!}`).join(", ") || "default";
}

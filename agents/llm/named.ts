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

/** Settings that change what is sent for the same words, and so the answer. */
export const SENT = ["api", "body", "calls", "effort", "temperature", "tokens"] as const;

/** A setting as it is written after the address: `odds+look`, `none`, `yes`, `{"top_k":1}`. */
export function written(settings: LlmSettings, key: keyof LlmSettings): string {
  const value = settings[key];
  if (key === "tools") return settings.tools.join("+") || "none";
  if (key === "body") return Object.keys(settings.body).length === 0 ? "none" : JSON.stringify(settings.body);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return [value ?? "default"].flat().join("/");
}

const DEFAULTS = parseLlm("http://127.0.0.1/v1,model=any");

/**
 * The settings that change answers and are not the default: `memory=3, tools=odds`, or `default`.
 *
 * @param of a setting in words; undefined for one that an older version did not have
 */
export function settingsText(
  of: (key: keyof LlmSettings) => string | undefined,
  keys: readonly (keyof LlmSettings)[] = [...COMPARED, ...SENT],
): string {
  const differ = keys.filter((key) => (of(key) ?? written(DEFAULTS, key)) !== written(DEFAULTS, key));
  return differ.map((key) => `${key}=${of(key)!}`).join(", ") || "default";
}

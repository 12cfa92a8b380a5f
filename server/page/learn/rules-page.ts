import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  EVERYTHING,
  type FilledSection,
  type FoundRule,
  GAMES,
  type GameType,
  openCase,
  type RulePicture,
  sectionsOf,
} from "../../../env/index.js";
import { renderSvg } from "../../draw/render-scene.js";
import { escaped } from "../../draw/svg.js";
import { SANS, SERIF, type ThemeName } from "../../draw/theme.js";
import { type Asset, textAsset } from "../asset.js";
import { PAGE_FONTS } from "../fonts.js";
import { ruleAnchor } from "./rule-anchor.js";

/** Width that a position is drawn for, px. */
const WIDTH = 640;

/** Rules of all games as pages. Each is made when it is asked for first. */
export class RulesPages {
  private readonly made = new Map<string, Asset>();

  /**
   * @param frame the page without its content: `TITLE` and `CONTENT` take its place
   * @param base path before all addresses
   */
  constructor(
    private readonly frame: string,
    private readonly base: string,
  ) {}

  /** @returns undefined for a game that isn't there */
  page(id: string): Asset | undefined {
    return this.keep(id, (type) =>
      textAsset(
        "text/html; charset=utf-8",
        Buffer.from(
          this.frame
            .replaceAll("TITLE", () => escaped(`Rules of ${type.title}`))
            .replace("CONTENT", () => contentOf(type, this.base)),
        ),
        false,
      ),
    );
  }

  /** The position that shows a section, from 1. @returns undefined where there is none */
  picture(id: string, section: number, theme: ThemeName): Asset | undefined {
    return this.keep(`${id} ${section} ${theme}`, (type) => {
      const shown = sectionsOf(type)[section - 1]?.picture;
      return shown && textAsset("image/svg+xml", Buffer.from(drawn(type, shown, theme)), false);
    });
  }

  private keep(key: string, make: (type: GameType) => Asset | undefined): Asset | undefined {
    const type = GAMES.find((t) => t.id === key.split(" ")[0]);
    if (type === undefined) return undefined;
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const asset = make(type);
    if (asset !== undefined) this.made.set(key, asset);
    return asset;
  }
}

/** The position that shows a rule, as SVG with its fonts. */
export function drawn(type: GameType, { position, options = {}, around }: RulePicture, theme: ThemeName): string {
  const { game, state } = openCase(type, { id: "picture", rule: "", options, position, steps: [] });
  const crop = around === undefined ? {} : { around };
  return withFonts(renderSvg(game, state, EVERYTHING, { width: WIDTH, panels: false, theme, ...crop }));
}

/** A drawing with its fonts inside: a page shows it as a picture, which cannot load them. */
function withFonts(svg: string): string {
  const { resolve } = createRequire(import.meta.url);
  const face = ([family, weight, file]: (typeof FACES)[number]): string => {
    const data = readFileSync(resolve(PAGE_FONTS[file])).toString("base64");
    return `@font-face{font-family:"${family}";font-weight:${weight};src:url(data:font/woff2;base64,${data})}`;
  };
  const faces = FACES.filter(([family]) => svg.includes(family)).map(face);
  return svg.replace(/<svg [^>]*>/, (open) => `${open}<style>${faces.join("")}</style>`);
}

/** Family, weights and file of each font in drawings. */
const FACES = [
  [SANS, "500", "barlow-500.woff2"],
  [SANS, "600 700", "barlow-600.woff2"],
  [SERIF, "200 900", "serif.woff2"],
] as const;

function contentOf(type: GameType, base: string): string {
  const sections = sectionsOf(type);
  const list = sections.map(({ title }, i) => `<li><a href="#section-${i + 1}">${escaped(title)}</a></li>`);
  const citations = new Citations(
    type,
    sections.flatMap((s) => s.text),
  );
  return [
    `<nav class="ways"><a href="${base}/">All games</a><a href="${base}/words/${type.id}">Glossary</a></nav>`,
    `<h1>Rules of ${escaped(type.title)}</h1><p class="notice">${escaped(type.credits)}</p>`,
    type.reconstructed === null
      ? ""
      : `<p class="notice">Reconstructed: ${escaped(type.reconstructed.replace(/\.$/, ""))}.</p>`,
    `<p>${inline(type.guide.short)}</p>`,
    `<p class="find" hidden><label for="find">Find in the rules</label> <input id="find" type="search"> <span role="status"></span></p>`,
    `<nav aria-label="Sections"><ol>${list.join("")}</ol></nav>`,
    ...sections.map((section, i) => sectionHtml(type, section, i + 1, citations, base)),
  ].join("\n");
}

function sectionHtml(
  type: GameType,
  { title, text, picture, rules }: FilledSection,
  n: number,
  citations: Citations,
  base: string,
): string {
  const texts = text.map((paragraph) => `<p>${citations.linked(inline(paragraph))}</p>`);
  const played = rules.filter((r) => r.status !== "absent");
  const absent = rules.filter((r) => r.status === "absent");
  return [
    `<section id="section-${n}"><h2>${escaped(title)}</h2>`,
    ...texts,
    picture === undefined ? "" : figure(`${base}/rules/${type.id}/${n}`, picture),
    played.length === 0 ? "" : listOf(played, citations),
    absent.length === 0
      ? ""
      : `<details><summary>Not played here: ${absent.length === 1 ? "one rule" : `${absent.length} rules`}</summary>${listOf(absent, citations)}</details>`,
    "</section>",
  ].join("\n");
}

/** The drawing is asked for when it comes into sight. */
const figure = (address: string, { says }: RulePicture): string =>
  `<figure><picture><source media="(prefers-color-scheme: dark)" srcset="${address}.dark.svg"><img src="${address}.light.svg" alt="" loading="lazy" width="${WIDTH}"></picture><figcaption>${inline(says)}</figcaption></figure>`;

const listOf = (rules: readonly FoundRule[], citations: Citations): string =>
  `<dl class="rules">${rules.map((r) => ruleHtml(r, citations.ids.has(r.id))).join("")}</dl>`;

/** @param inText true when its anchor is in the text of a section */
function ruleHtml({ id, says, status, option, reason }: FoundRule, inText: boolean): string {
  const anchor = ruleAnchor(id);
  const name = inText ? `<a href="#${anchor}">${escaped(id)}</a>` : escaped(id);
  const note =
    status === "option" ? ` <small>option ${option ?? ""}</small>` : reason ? ` <small>${inline(reason)}</small>` : "";
  return `<div id="${inText ? `rule-${anchor}` : anchor}"><dt>${name}</dt><dd>${inline(says)}.${note}</dd></div>`;
}

/** Text with its names of actions and options marked. */
const inline = (text: string): string => escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>");

/** The rules that the sections cite. Where one is cited first, its tag leads. */
class Citations {
  readonly ids: ReadonlySet<string>;
  private readonly found: RegExp;
  private readonly met = new Set<string>();

  constructor({ rules }: GameType, texts: readonly string[]) {
    const ids = Object.keys(rules).sort((a, b) => b.length - a.length);
    const any = ids.map((id) => id.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
    this.found = new RegExp(`(?<![\\w.])(?:${any})(?!\\w|\\.\\d)`, "g");
    this.ids = new Set(texts.join(" ").match(this.found));
  }

  /** Makes links of the citations in a text. */
  linked(text: string): string {
    return text.replace(this.found, (id) => {
      const anchor = ruleAnchor(id);
      const here = this.met.has(id) ? "" : ` id="${anchor}"`;
      this.met.add(id);
      return `<a class="rule"${here} href="#rule-${anchor}">${id}</a>`;
    });
  }
}

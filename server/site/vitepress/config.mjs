// Configuration of VitePress. server/site/build.ts copies this folder to dist/site/.vitepress, and writes the pages and
// the menu (menu.json) to dist/site.
import { readFileSync } from "node:fs";

const { nav, sidebar, repository } = JSON.parse(readFileSync(new URL("../menu.json", import.meta.url), "utf8"));

export default {
  title: "Kessel",
  description: "Eastern Front board wargames as environments for machine learning",
  lang: "en",
  base: process.env.KESSEL_SITE_BASE ?? "/",
  srcDir: "pages",
  outDir: "html",
  markdown: {
    html: false,
    linkify: false,
    image: { lazyLoading: true },
    theme: { light: "github-light-high-contrast", dark: "github-dark" },
  },
  themeConfig: {
    nav,
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
    ...(repository === null ? {} : { socialLinks: [{ icon: "github", link: repository }] }),
    footer: { message: "MIT licence. The games belong to their designers and publishers." },
  },
};

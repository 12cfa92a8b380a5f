import { render } from "preact";
import { Lobby } from "./lobby.js";
import { RunsPage } from "./runs/page.js";
import { WordsPage } from "./words/page.js";
import { TablePage } from "./table.js";
import { applyTheme } from "./settings.js";
import { at, below } from "./address.js";

applyTheme();
const path = below(location.pathname);
const token = /^\/g\/([a-z2-7]{20})$/.exec(path)?.[1];
const other = new URLSearchParams(location.hash.slice(1)).get("hot");
const cutOff = token === undefined && path.startsWith("/g/");
const words = /^\/words\/([\w-]+)$/.exec(path)?.[1];
render(
  path === "/runs" ? (
    <RunsPage />
  ) : words !== undefined ? (
    <WordsPage game={words} />
  ) : cutOff ? (
    <main class="waiting">
      <h1>Kessel</h1>
      <p role="alert">This link leads to no game: the part after /g/ has 20 letters and digits.</p>
      <a href={at("/")}>All games</a>
    </main>
  ) : token === undefined ? (
    <Lobby />
  ) : (
    <TablePage tokens={other === null ? [token] : [token, other]} />
  ),
  document.getElementById("app")!,
);

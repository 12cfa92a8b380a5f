import { render } from "preact";
import { Lobby } from "./lobby.js";
import { RunsPage } from "./runs/page.js";
import { WordsPage } from "./words/page.js";
import { TablePage } from "./table.js";
import { applyTheme } from "./settings.js";

applyTheme();
const token = /^\/g\/([a-z2-7]{20})$/.exec(location.pathname)?.[1];
const other = new URLSearchParams(location.hash.slice(1)).get("hot");
const cutOff = token === undefined && location.pathname.startsWith("/g/");
const words = /^\/words\/([\w-]+)$/.exec(location.pathname)?.[1];
render(
  location.pathname === "/runs" ? (
    <RunsPage />
  ) : words !== undefined ? (
    <WordsPage game={words} />
  ) : cutOff ? (
    <main class="waiting">
      <h1>Kessel</h1>
      <p role="alert">This link leads to no game: the part after /g/ has 20 letters and digits.</p>
      <a href="/">All games</a>
    </main>
  ) : token === undefined ? (
    <Lobby />
  ) : (
    <TablePage tokens={other === null ? [token] : [token, other]} />
  ),
  document.getElementById("app")!,
);

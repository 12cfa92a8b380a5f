import { useEffect, useState } from "preact/hooks";
import { ruleAddress } from "../../learn/rule-anchor.js";
import { fetchFile } from "../fetch-file.js";
import { loadPrimer, primer } from "./primer.js";
import { at } from "../address.js";

/** All words of a game, as a page. */
export function WordsPage({ game }: { game: string }) {
  const [found, setFound] = useState(true);
  const [guide, setGuide] = useState<readonly string[]>([]);
  useEffect(() => {
    void loadPrimer(game).then(setFound);
    void fetchFile<readonly string[]>(at(`/guides/${game}.json`)).then((g) => setGuide(g ?? []));
  }, [game]);
  const doc = primer.value;
  if (doc === null)
    return (
      <main class="waiting">
        <h1>Kessel</h1>
        <p role="status">{found ? "Loading the glossary." : "No glossary for this game."}</p>
        <a href={at("/")}>All games</a>
      </main>
    );
  document.title = `Glossary of ${doc.title} · Kessel`;
  const terms = [...doc.terms].sort((a, b) => a.term.localeCompare(b.term));
  return (
    <main class="lobby words">
      <a href={at("/")}>All games</a>
      {guide.length > 0 && (
        <section class="guide">
          <h1>Rules of {doc.title} in brief</h1>
          {guide.map((paragraph) => {
            const [heading = "", ...text] = paragraph.split(": ");
            return (
              <p key={heading}>
                <b>{heading}</b> {text.join(": ")}
              </p>
            );
          })}
        </section>
      )}
      <h1>Glossary of {doc.title}</h1>
      <dl>
        {terms.map((t) => (
          <div key={t.term} class="panel">
            <dt>{t.term}</dt>
            <dd>
              {t.says}{" "}
              <small>
                <a href={at(ruleAddress(game, t.rule))}>{t.rule}</a>: {doc.rules[t.rule]}.
              </small>
            </dd>
          </div>
        ))}
      </dl>
    </main>
  );
}

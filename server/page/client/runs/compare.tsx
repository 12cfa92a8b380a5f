import { useState } from "preact/hooks";
import type { Judged } from "../../review-frame.js";
import type { Comparison, Difference, RunView } from "../../runs/runs-view.js";
import { StillBoard } from "../board/still-board.js";
import { Opinions } from "../panels/best.js";
import { percent, returnText } from "../../../../env/core/words.js";
import { TrayPicture } from "../panels/side.js";
import { askServer } from "./ask-server.js";
import { netName } from "./watch.js";
import { at } from "../address.js";

/** Two nets of a run: a game between them, and the decisions of it about which they differ most. */
export function CompareNets({ run }: { run: RunView }) {
  const [one, setOne] = useState(run.nets[0]!);
  const [other, setOther] = useState(run.nets[1]!);
  const [found, setFound] = useState<(Comparison & { readonly nets: readonly [string, string] }) | null>(null);
  /** The moment that is shown on the map. */
  const [open, setOpen] = useState<number | null>(null);
  const [state, setState] = useState<string | null>(null);
  const compare = async (): Promise<void> => {
    setState("The two nets play one game; each is asked about every decision.");
    const answer = await askServer<Comparison>(at("/api/comparisons"), { run: run.name, one, other });
    setState(typeof answer === "string" ? answer : null);
    if (typeof answer === "string") return;
    setFound({ ...answer, nets: [one, other] });
    setOpen(answer.differences[0]?.at ?? null);
  };
  const list = (label: string, value: string, choose: (net: string) => void, without: string | null) => (
    <label>
      {label}
      <select value={value} onChange={(e) => choose(e.currentTarget.value)}>
        {run.nets
          .filter((n) => n !== without)
          .map((n) => (
            <option key={n} value={n}>
              {netName(n)}
            </option>
          ))}
      </select>
    </label>
  );
  return (
    <form
      class="panel compare"
      onSubmit={(e) => {
        e.preventDefault();
        void compare();
      }}
    >
      <h3>Where two nets differ</h3>
      {list(
        "One",
        one,
        (net) => {
          setOne(net);
          if (net === other) setOther(run.nets.find((n) => n !== net)!);
        },
        null,
      )}
      {list("The other", other, setOther, one)}
      <button type="submit" class="primary">
        {found === null ? "Compare" : "Compare in another game"}
      </button>
      {state !== null && <p role="status">{state}</p>}
      {found !== null && (
        <div class="differences" aria-live="polite">
          <p>
            In {percent(found.same)} of the choices of <a href={at(`/g/${found.link}`)}>their game</a> (
            {found.decisions} decisions) both would do the same. They are furthest apart in these:
          </p>
          <ol>
            {found.differences.map((d) => (
              <Differs
                key={d.at}
                d={d}
                link={found.link}
                nets={found.nets}
                side={run.names[run.players.indexOf(d.by)] ?? d.by}
                open={d.at === open}
                show={() => setOpen(d.at)}
              />
            ))}
          </ol>
        </div>
      )}
    </form>
  );
}

function Differs(props: {
  d: Difference;
  link: string;
  nets: readonly [string, string];
  side: string;
  open: boolean;
  show: () => void;
}) {
  const { d, link, nets, side, open, show } = props;
  const [one, other] = d.opinions;
  const says = (net: string, { choices, value }: Judged, { choices: others }: Judged) => {
    const { action, text, probability } = choices[0]!;
    return (
      <li>
        <b>{netName(net)}</b> takes “{text}” with {percent(probability)}, the other with{" "}
        {percent(others.find((c) => c.action === action)?.probability ?? 0)}; it expects {returnText(value)}.
      </li>
    );
  };
  return (
    <li>
      <a href={at(`/g/${link}#at=${d.at}&eyes=${encodeURIComponent(d.by)}`)}>Decision {d.at + 1}</a>, {side} side.{" "}
      {d.prompt}
      <ul>
        {says(nets[0], one, other)}
        {says(nets[1], other, one)}
      </ul>
      {open ? (
        <div class="differs">
          <StillBoard
            drawing={d.drawing}
            opinions={d.opinions}
            label={`Map of decision ${d.at + 1}, with the likeliest actions of both nets`}
          />
          <div class="options">
            {d.drawing.trays
              .filter((t) => t.stands === "near")
              .map((t) => (
                <TrayPicture key={t.id} tray={t} />
              ))}
            <Opinions opinions={d.opinions} names={nets.map(netName)} />
          </div>
        </div>
      ) : (
        <button type="button" onClick={show}>
          Show decision {d.at + 1} on the map
        </button>
      )}
    </li>
  );
}

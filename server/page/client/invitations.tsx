import { useState } from "preact/hooks";
import { at } from "./address.js";

/** Names that lead each machine to itself. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** The address of something for somebody at another machine, which has no way to this one's `localhost`. */
function forOthers(path: `/${string}`): string {
  const [name] = document.documentElement.dataset["shared"]!.split(" ") as [string];
  const url = new URL(at(path), location.href);
  if (name !== "" && LOOPBACK.includes(location.hostname)) url.hostname = name;
  return url.href;
}

/** Copies a link. Beyond loopback without TLS a browser has no clipboard: the link can be marked by hand there. */
function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false);
  if (!("clipboard" in navigator)) return null;
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <button type="button" class="copy" aria-label={`Copy the link ${what}`} onClick={copy}>
      {copied ? "Copied" : "Copy"}
    </button>
  );
}

/** The links of a game between people: one to sit at for each side, then the one to watch. */
export function Invitations(props: {
  links: Readonly<Record<string, string>>;
  nameOf: (side: string) => string;
  /** The one that the reader sits at. */
  own?: string;
}) {
  const { links, nameOf, own } = props;
  const sides = Object.keys(links).filter((side) => side !== "watch");
  return (
    <>
      {[...sides, "watch"]
        .filter((side) => links[side] !== undefined && links[side] !== own)
        .map((side) => (
          <p key={side}>
            {side === "watch" ? "To watch" : nameOf(side)}:{" "}
            <a href={forOthers(`/g/${links[side]!}`)}>{forOthers(`/g/${links[side]!}`)}</a>{" "}
            <CopyButton text={forOthers(`/g/${links[side]!}`)} what={side === "watch" ? "to watch" : nameOf(side)} />
          </p>
        ))}
    </>
  );
}

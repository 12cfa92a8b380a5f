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
            <a href={`/g/${links[side]!}`}>{`${location.origin}/g/${links[side]!}`}</a>
          </p>
        ))}
    </>
  );
}

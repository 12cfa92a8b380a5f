/** Where a rule is on the page of its game's rules: `SS-7.31` for `SS 7.31`. */
export const ruleAnchor = (id: string): string => (id.match(/[\w.]+/g) ?? []).join("-").replace(/\.$/, "");

/** The address of a rule. */
export const ruleAddress = (game: string, id: string): `/${string}` => `/rules/${game}#${ruleAnchor(id)}`;

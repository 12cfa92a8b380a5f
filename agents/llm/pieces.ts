/**
 * The parts of a text between commas. A comma within the braces of a JSON object divides nothing:
 * `model=m,body={"top_k":1,"seed":2},tries=1` has three parts.
 */
export function pieces(text: string): string[] {
  const out: string[] = [];
  let [from, depth, quoted] = [0, 0, false];
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === "\\") i++;
      else quoted = c !== '"';
    } else if (c === "{") depth++;
    else if (depth > 0) {
      if (c === "}") depth--;
      quoted = c === '"';
    } else if (c === ",") {
      out.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return [...out, text.slice(from)];
}

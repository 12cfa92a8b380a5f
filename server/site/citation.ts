/** How to cite, from `.github/CITATION.cff`. */
export function citation(cff: string): string {
  const field = (name: string): string => new RegExp(`^ *(?:- )?${name}: "?(.*?)"?$`, "m").exec(cff)?.[1] ?? "";
  return `${field("message")}

\`\`\`bibtex
@software{kessel,
  title = {${field("title")}},
  author = {${field("name")}},
  version = {${field("version")}},
  license = {${field("license")}}
}
\`\`\`

\`\`\`yaml
${cff.trimEnd()}
\`\`\`
`;
}

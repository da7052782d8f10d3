/** What a pattern of file names that could lead out of its directory has in it, once it is JSON: in each place of a name. */
const leadsOutside = String.raw`(?:[/~]|[^\x00]*(?:\.\.|[\\:]|[{,][./,}]|\.[},]))`;

/** Arguments stand between these in what the CLI matches a rule with. */
const edge = String.raw`\x00`;

/**
 * Rules of a policy for the tools that look for files. Gemini CLI 0.61.0 keeps `dir_path` and `file_path` inside the
 * directory of a session, but not the patterns: `glob` tells the names of whatever `../**` or `/**` matches, and where `grep`
 * is missing or fails, `grep_search` walks through what its `include_pattern` names. So a pattern may hold no way up, no
 * beginning at the root, nothing escaped, no drive and no choice of which a part could become either. And grep takes what
 * begins with `-` for one of its options, of which `-f` reads any file for patterns.
 */
export const denyNamesOutside: string = [
  rule('glob', `${edge}"pattern":"${leadsOutside}`),
  rule('grep_search', `${edge}"include_pattern":"${leadsOutside}`),
  rule('grep_search', `${edge}"pattern":"-`),
].join('\n');

function rule(toolName: string, argsPattern: string): string {
  return `[[rule]]
toolName = "${toolName}"
argsPattern = '${argsPattern}'
decision = "deny"
priority = 970
denyMessage = "Patterns name files below the working directory: no .., no / or - at the beginning, no backslash, no colon."
`;
}

/** A rule of a policy that denies a tool what the expression finds in its arguments. */
export type ArgumentRule = {
  readonly toolName: string;
  /**
   * Gemini CLI 0.61.0 matches it with JSON in which each argument is between NUL characters, by name. It takes no more
   * than 2,048 characters, and no repeated group.
   */
  readonly argsPattern: string;
  readonly denyMessage: string;
};

/** What no pattern of names has in it: a way up, a choice of which a part is empty or begins or ends with one, a group. */
const noWayOut = String.raw`(?![/!])(?![^\x00]*(?:\.\.|[{,][./,}]|\.[},]|[@?!*+]\())`;

/** A class of characters may name no dot, and choices may not make one: `[.]` and `{[,x}.]` are dots. */
const plainClasses = String.raw`(?![^\x00]*\[(?![!^]?[A-Za-z0-9_-]+\]))(?![^\x00[]*\[[^\x00{]*\{)(?![^\x00{]*\{[^\x00[]*\[)`;

/** So many stars and choices that no list of names takes long to match with them. */
const fewParts = `(?!${String.raw`[^\x00*]*\*`.repeat(11)})(?!${String.raw`[^\x00{]*\{`.repeat(3)})`;

const namesBelow = String.raw`"(?=[^\x00]{1,300}\x00)${noWayOut}${plainClasses}${fewParts}[^\x00-\x1f"\\:|<>~]+"`;

/**
 * No option of grep, nothing that looks around or refers to a group, no repeated group that varies, and no large count: such
 * expressions take exponential time or much memory in one engine or another.
 */
const simpleExpression = String.raw`"(?=[^\x00]{1,1000}\x00)(?!-)(?![^\x00]*(?:\(\?[=!<]|\\\\[1-9k]|\{[0-9]{3}|\{[0-9]{1,2},[0-9]{3}))(?![^\x00(]*\([^\x00*+{|]*[*+{|][^\x00]*\)[*+{])[^\x00]+"`;

const text = String.raw`"[^\x00]*"`;
const flag = '(?:true|false)';
const number = '[0-9]{1,6}';

const everyTool = { wait_for_previous: flag };

/** All that Gemini CLI 0.61.0 knows. Paths it checks itself, by where links lead. */
const allowed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  list_directory: {
    dir_path: text,
    ignore: String.raw`\[[^\x00]{0,500}\]`,
    file_filtering_options: '[{][a-z_":,]{0,100}[}]',
  },
  read_file: { file_path: text, start_line: number, end_line: number },
  glob: {
    pattern: namesBelow,
    dir_path: text,
    case_sensitive: flag,
    respect_git_ignore: flag,
    respect_gemini_ignore: flag,
  },
  grep_search: {
    pattern: simpleExpression,
    exclude_pattern: simpleExpression,
    include_pattern: namesBelow,
    dir_path: text,
    ...{ names_only: flag, case_sensitive: flag, fixed_strings: flag, no_ignore: flag },
    ...{ context: number, after: number, before: number, max_matches_per_file: number, total_max_matches: number },
  },
};

const names =
  'A pattern of names holds names below the working directory, with * ? [a-z] {a,b}: no .. in it, no / or ! at the beginning, no backslash, no colon, at most ten * and two { in 300 characters.';
const expressions =
  'An expression holds no lookaround, no reference to a group, no repeated group in which something repeats or is chosen, and no - at the beginning.';

const denyMessages: Readonly<Record<string, string>> = {
  list_directory: 'Only the arguments that are described are allowed.',
  read_file: 'Only the arguments that are described are allowed.',
  glob: names,
  grep_search: `${expressions} ${names}`,
};

/**
 * What the reading tools may be given: an argument that is not known, or is not what it may be, denies the call. Gemini CLI
 * 0.61.0 keeps directories and files inside the directory of a session, but not patterns: `glob` tells the names of whatever
 * `../**` or `[.][.]/**` matches, and where `grep` is missing or fails, `grep_search` walks through what its
 * `include_pattern` names. grep takes what begins with `-` for one of its options, of which `-f` reads any file for patterns.
 */
export const argumentRules: readonly ArgumentRule[] = Object.entries(allowed).map(([toolName, values]) => {
  const pairs = Object.entries({ ...values, ...everyTool }).map(([name, value]) => `${name}":${value}`);
  return {
    toolName,
    argsPattern: String.raw`\x00"(?!(?:${pairs.join('|')})\x00)`,
    denyMessage: denyMessages[toolName] ?? '',
  };
});

/** The same as text of a policy file. */
export const denyOtherArguments: string = argumentRules.map(formatRule).join('\n');

function formatRule({ toolName, argsPattern, denyMessage }: ArgumentRule): string {
  return `[[rule]]
toolName = "${toolName}"
argsPattern = '${argsPattern}'
decision = "deny"
priority = 970
denyMessage = ${JSON.stringify(denyMessage)}
`;
}

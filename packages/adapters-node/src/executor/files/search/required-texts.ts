/**
 * Texts of which every match of a regular expression has at least one in it, read off its source: one for each of its alternatives at the top.
 * Null where that cannot be told. Rather nothing than too much: what is read wrongly would hide matches.
 */
export function requiredTexts(source: string): readonly string[] | null {
  const branches = namesCharacters.test(source) ? null : splitBranches(source);
  const texts = branches?.map((branch) => longestText(branch));
  return texts?.every((text) => text !== undefined && text.length >= minLength) === true
    ? texts.filter((text) => text !== undefined)
    : null;
}

/** Escapes of which more than one letter follows. */
const namesCharacters = /\\[0-9uxcpPk]/;

/** Shorter ones are in every file. */
const minLength = 2;

/** What one step of an expression is: a character that it has to find, or anything else. */
type Token = { readonly text: string | null; readonly isOptional: boolean };

/** What a token of the source is: an escape, a class, the beginning of a group, its end, a quantifier, any other character. */
const tokens =
  /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|\)|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/gu;

/** The alternatives at the top, each as its tokens; what is in a group counts as one of them. Null for groups that do not end. */
function splitBranches(source: string): readonly (readonly Token[])[] | null {
  const branches: Token[][] = [[]];
  let depth = 0;
  for (const [token] of source.matchAll(tokens)) {
    depth += depthChange(token);
    if (depth === 0 && token === '|') {
      branches.push([]);
    } else if (depth === 0) {
      addToken(branches.at(-1) ?? [], token);
    }
  }
  return depth === 0 ? branches : null;
}

function depthChange(token: string): number {
  if (token.startsWith('(')) {
    return 1;
  }
  return token === ')' ? -1 : 0;
}

function addToken(branch: Token[], token: string): void {
  if (!/^(?:[*+?]|\{\d)/.test(token)) {
    branch.push({ text: textOf(token), isOptional: false });
    return;
  }
  const before = branch.pop();
  const isOptional = /^(?:[*?]|\{0)/.test(token);
  // What comes once or more often ends a text: `ab+c` has `ab` in it, and not `abc`.
  branch.push({ text: before?.text ?? null, isOptional }, { text: null, isOptional: false });
}

/** The character that a token finds; null for one that finds several, or none. */
function textOf(token: string): string | null {
  if (/^\\[\^$\\.*+?()[\]{}|/]$/.test(token)) {
    return token.slice(1);
  }
  return /^[^\\[.^$(){}\r\n]$/u.test(token) ? token : null;
}

function longestText(branch: readonly Token[]): string | undefined {
  const texts = [''];
  for (const { text, isOptional } of branch) {
    if (text === null || isOptional) {
      texts.push('');
    } else {
      texts.push(`${texts.pop() ?? ''}${text}`);
    }
  }
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
}

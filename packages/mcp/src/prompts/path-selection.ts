import { quoteName } from './quote-argument.ts';

/** Which argument of gemini_query a path is for, as far as its form tells. */
export function describePathSelection(path: string): string {
  const list = `[${quoteName(path)}]`;
  if (/[*?]/.test(path)) {
    return `glob_patterns: ${list}`;
  }
  // Names like `[id]` are common in web frameworks, and as a pattern would find something else.
  if (/[{[]/.test(path)) {
    return `directories: ${list} if there is a directory of exactly that name, files: ${list} if there is a file, else glob_patterns: ${list}`;
  }
  return /(?:^|\/)\.{0,2}\/?$|\/$/.test(path)
    ? `directories: ${list}`
    : `directories: ${list} if that is a directory, files: ${list} if it is a file`;
}

/** Suggests paths that the server may read, in the form in which the prefix begins; directories end with `/`. */
export type CompletePath = (prefix: string, signal: AbortSignal) => Promise<readonly string[]>;

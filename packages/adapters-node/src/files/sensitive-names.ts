import { namePatternsOf, sensitiveList, telltalesOf } from './sensitive-list.ts';

const mayHide = anyOf(telltalesOf(sensitiveList).map(sourceOf));
const shows = anyOf(sensitiveList.harmless.map((pattern) => `^${sourceOf(pattern)}$`));
const places = anyOf([
  ...sensitiveList.places.map((path) => `/${sourceOf(path)}(?:/|$)`),
  ...sensitiveList.files.map((path) => `/${sourceOf(path)}`),
]);

/** Made for the first name that may match. That takes 4 ms, which the start of a server need not wait for. */
let hides: RegExp | undefined;

/** What cannot be seen in a name, and what some file systems pass over when they compare two (CVE-2014-9390). */
const unseen = /\p{Default_Ignorable_Code_Point}/gu;

const printableAscii = /^[ -~]*$/;

/** A walk asks of many files in one directory. */
let lastDirectory = { path: '', isSensitive: false };

/**
 * Whether a path looks like one that holds secrets, by its names alone: its own and those of the directories above it, in
 * any case, and however Unicode writes them. What counts is `sensitiveList`.
 *
 * Not promised: a secret under an ordinary name is not found.
 */
export function isSensitivePath(path: string): boolean {
  const normal = `/${normalise(path)}`;
  const end = normal.lastIndexOf('/');
  return isSensitiveDirectory(normal.slice(0, end)) || isSensitiveEntry(normal, normal.slice(end + 1));
}

function isSensitiveDirectory(path: string): boolean {
  if (path !== lastDirectory.path) {
    lastDirectory = { path, isSensitive: path.split('/').some(isSensitiveName) || isInPlace(path) };
  }
  return lastDirectory.isSensitive;
}

function isSensitiveEntry(path: string, name: string): boolean {
  return isSensitiveName(name) || isInPlace(path);
}

function isSensitiveName(name: string): boolean {
  return mayHide.test(name) && isHidden(name) && !shows.test(name);
}

function isHidden(name: string): boolean {
  hides ??= anyOf(namePatternsOf(sensitiveList).map((pattern) => `^${sourceOf(pattern)}$`));
  return hides.test(name);
}

/** Every path of the list has a hidden directory in it, and few files lie in one. */
function isInPlace(path: string): boolean {
  return path.includes('/.') && places.test(path);
}

function normalise(path: string): string {
  const plain = printableAscii.test(path) ? path : path.normalize('NFKC').replace(unseen, '');
  return plain.replaceAll('\\', '/').toLowerCase();
}

/** A pattern of the list as the source of a regular expression. */
function sourceOf(pattern: string): string {
  return pattern.replace(/\[[^\]]*\]|[^a-z0-9/]/g, (token) => {
    switch (token) {
      case '*':
        return '[^/]*';
      case '?':
        return '[^/]';
      default:
        return token.startsWith('[') ? token.replace('[!', '[^/') : `\\${token}`;
    }
  });
}

/** One expression is asked much faster than hundreds. */
function anyOf(sources: readonly string[]): RegExp {
  return new RegExp(sources.map((source) => `(?:${source})`).join('|'));
}

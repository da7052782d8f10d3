import { sep } from 'node:path';
import { entryPath } from '../path-containment.ts';
import type { EntryFilter } from './entry-filter.ts';
import { IgnoreRules } from './ignore-rules.ts';
import type { DirectoryEntry } from './list-directory.ts';
import { loadIgnoreFiles } from './load-ignore-files.ts';

/** A directory that is being walked, and how far the walk has come in it. */
export type WalkFrame = {
  readonly realPath: string;
  readonly displayPath: string;
  /** The names that lead to it from where ignore rules begin. */
  readonly names: readonly string[];
  readonly rules: IgnoreRules;
  readonly filter: EntryFilter;
  readonly entries: Iterator<DirectoryEntry>;
};

/** How an entry of a directory is shown. */
export function displayBelow({ displayPath }: WalkFrame, name: string): string {
  return displayPath === '' || displayPath.endsWith('/') ? displayPath + name : `${displayPath}/${name}`;
}

/** The rules of the directories between the top and the one that the names lead to; null where they cannot be known. */
export function rulesAbove(top: string, names: readonly string[]): IgnoreRules | null {
  let rules: IgnoreRules | null = IgnoreRules.none;
  for (const [depth] of names.entries()) {
    const level = loadIgnoreFiles(names.slice(0, depth).reduce(entryPath, top), depth, () => true);
    rules = level === null || rules === null ? null : rules.with(level);
  }
  return rules;
}

/** Whether a path leads into what git keeps. */
export function isInsideGit(realPath: string): boolean {
  return realPath.toLowerCase().split(sep).includes('.git');
}

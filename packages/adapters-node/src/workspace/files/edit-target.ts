import { lstatSync, type Stats } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { StepResult } from '@gemini-mcp/core';
import { outsideRoots, refusal, refused } from '@gemini-mcp/core/internal';
import { HeldDirectory } from '../../disk/held-directory.ts';
import { closeDescriptor, type Opened, openVerified } from '../../disk/open-verified.ts';
import { refuseTarget } from './refuse-target.ts';
import { type RunReach, showName } from './run-reach.ts';

/** The place of a file to change or create. The caller releases it. */
export type EditTarget = {
  /** The real path of the file, or the one it will have. */
  readonly realPath: string;
  /** The nearest existing directory above the file. It is open: the change is made there, wherever its path leads later. */
  readonly directory: HeldDirectory;
  /** The missing directories between that one and the file. */
  readonly missing: readonly string[];
  /** Open for reading; null if the file is missing. */
  readonly opened: Opened | null;
  readonly release: () => void;
};

/** Resolves a name for a change, and holds its place open. Creates nothing. */
export function findEditTarget(reach: RunReach, name: string): StepResult<EditTarget> {
  const located = reach.locate(name);
  if (!located.ok) {
    return located;
  }
  if (isBroken(name)) {
    return refused(refusal('invalid-arguments', `${showName(name)} is not valid UTF-8.`));
  }
  const { absolutePath } = located.value;
  const { roots, proof } = reach;
  const opened = openVerified({ path: absolutePath, kind: 'file', roots, proof, followsLink: true });
  if (opened.ok) {
    return holdExisting(reach, name, opened);
  }
  return opened.reason === 'not-found' ? holdNew(reach, name, absolutePath) : refused(refuseTarget(name, opened));
}

/** NUL, which no name contains, and unpaired surrogates, which the system would write differently. */
function isBroken(name: string): boolean {
  return name.includes('\0') || /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(name);
}

function holdExisting({ roots, proof }: RunReach, name: string, opened: Opened): StepResult<EditTarget> {
  const { realPath } = opened;
  const directory = HeldDirectory.open({ path: dirname(realPath), roots, proof });
  if (!('realPath' in directory)) {
    closeDescriptor(opened.descriptor);
    return refused(refuseTarget(name, directory));
  }
  const release = (): void => {
    closeDescriptor(opened.descriptor);
    directory.release();
  };
  return { ok: true, value: { realPath, directory, missing: [], opened, release } };
}

function holdNew(reach: RunReach, name: string, absolutePath: string): StepResult<EditTarget> {
  const nearest = findNearest(reach, name, dirname(absolutePath));
  if (!nearest.ok) {
    return nearest;
  }
  const { directory, path } = nearest.value;
  const below = relative(path, absolutePath).split(sep);
  const realPath = join(directory.realPath, ...below);
  const first = join(directory.realPath, below[0] ?? '');
  const isTaken = statsAt(directory, first) !== null;
  if (isTaken || !reach.roots.contains(realPath)) {
    directory.release();
    return refused(isTaken ? leadsNowhere(reach.display(first)) : outsideRoots(showName(name)));
  }
  const missing = below.slice(0, -1);
  return { ok: true, value: { realPath, directory, missing, opened: null, release: () => directory.release() } };
}

function leadsNowhere(path: string): ReturnType<typeof refusal> {
  const message = `${showName(path)} exists but does not lead to a file: it is a link with a missing target, or it has just changed.`;
  return refusal('invalid-arguments', message, 'Name the intended file.');
}

/** The nearest existing directory at or above a path, links followed, and the path by which it was reached. */
function findNearest(
  { roots, proof }: RunReach,
  name: string,
  start: string,
): StepResult<{ readonly directory: HeldDirectory; readonly path: string }> {
  let path = start;
  let opened = openVerified({ path, kind: 'directory', roots, proof, followsLink: true });
  // Nothing is looked up above the roots, which ends the loop.
  while (!opened.ok && opened.reason === 'not-found') {
    path = dirname(path);
    opened = openVerified({ path, kind: 'directory', roots, proof, followsLink: true });
  }
  if (!opened.ok) {
    return refused(refuseTarget(opened.reason === 'not-a-directory' ? path : name, opened));
  }
  closeDescriptor(opened.descriptor);
  const directory = HeldDirectory.open({ path: opened.realPath, roots, proof });
  return 'realPath' in directory ? { ok: true, value: { directory, path } } : refused(refuseTarget(name, directory));
}

/** The file at a real path below a held directory, without following the last link; null if missing. */
export function statsAt(directory: HeldDirectory, realPath: string): Stats | null {
  return lstatSync(directory.pathOf(realPath), { throwIfNoEntry: false }) ?? null;
}

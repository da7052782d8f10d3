import { fstatSync, lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock, FileListing, ListedFile, ListFilesRequest, StepResult } from '@gemini-mcp/core';
import { looksSecret, refusal, refused } from '@gemini-mcp/core/internal';
import { openPath, realPathOfDescriptor } from '../../disk/descriptor-paths.ts';
import { closeDescriptor } from '../../disk/open-verified.ts';
import { TimeSlices } from '../../disk/time-slices.ts';
import { listDirectory } from '../../disk/walk/list-directory.ts';
import { entryPath } from '../../processes/path-containment.ts';
import { isSecretPlace } from './read-run-file.ts';
import { refuseTarget } from './refuse-target.ts';
import { type RunReach, showName } from './run-reach.ts';
import { openRunDirectory, walkRunFiles } from './walk-run-files.ts';

export type ListWalkOptions = { readonly reach: RunReach; readonly clock: Clock };

const maxListed = 2_000;

/** For one directory: names cost little, and no one lists more than this. */
const maxEntries = 200_000;

/** Lists the entries of a directory, or the files below it that match a pattern. Rejects on abort. */
export async function listRunFiles(
  options: ListWalkOptions,
  request: ListFilesRequest,
  signal: AbortSignal,
): Promise<StepResult<FileListing>> {
  const directory = openRunDirectory(options.reach, request.path);
  if (!directory.ok) {
    return directory;
  }
  if (isSecretPlace(directory.value)) {
    return refused(looksSecret(showName(request.path)));
  }
  return request.pattern === null
    ? listEntries(options, directory.value, signal)
    : listMatches(options, directory.value, request.pattern, signal);
}

async function listEntries(
  { reach, clock }: ListWalkOptions,
  path: string,
  signal: AbortSignal,
): Promise<StepResult<FileListing>> {
  const { roots, proof } = reach;
  const slices = new TimeSlices({ clock, deadlineAtMs: Number.POSITIVE_INFINITY }, signal);
  const listing = await listDirectory({ path, roots, proof, followsLink: false, maxEntries }, slices);
  if (!listing.ok) {
    return refused(refuseTarget(reach.display(path), listing));
  }
  const paths = listing.entries.map(({ name }) => entryPath(listing.realPath, name));
  return { ok: true, value: describeAll(reach, paths, !listing.isComplete) };
}

async function listMatches(
  options: ListWalkOptions,
  directory: string,
  pattern: string,
  signal: AbortSignal,
): Promise<StepResult<FileListing>> {
  const walked = await walkRunFiles(options, { directory, pattern }, signal);
  if (!walked.ok) {
    return refused(refusal('invalid-arguments', `The pattern is refused: ${walked.problem}.`, 'Use a simpler one.'));
  }
  const paths = walked.files.map(({ absolutePath }) => absolutePath);
  return { ok: true, value: describeAll(options.reach, paths, !walked.isComplete) };
}

function describeAll(reach: RunReach, paths: readonly string[], isCut: boolean): FileListing {
  const shown = paths.map((path) => ({ path, display: reach.display(path) }));
  shown.sort((one, other) => compare(one.display, other.display));
  const files = shown.slice(0, maxListed).flatMap(({ path }) => describeEntry(reach, path) ?? []);
  return { files, isCut: isCut || shown.length > maxListed };
}

function compare(one: string, other: string): number {
  if (one === other) {
    return 0;
  }
  return one < other ? -1 : 1;
}

/** Null for an entry that is gone, or now lies outside the roots. */
function describeEntry(reach: RunReach, path: string): ListedFile | null {
  try {
    const stats = reach.proof === 'kernel-link' ? statByPlace(reach, path) : statByPath(reach, path);
    return stats === null
      ? null
      : { path: reach.display(path), kind: kindOf(stats), sizeBytes: stats.isFile() ? stats.size : 0 };
  } catch {
    return null;
  }
}

function statByPlace({ roots }: RunReach, path: string): Stats | null {
  const place = openPath(path, false);
  try {
    return roots.contains(realPathOfDescriptor(place)) ? fstatSync(place) : null;
  } finally {
    closeDescriptor(place);
  }
}

function statByPath({ roots }: RunReach, path: string): Stats | null {
  const stats = lstatSync(path);
  return roots.contains(realpathSync.native(dirname(path))) ? stats : null;
}

function kindOf(stats: Stats): ListedFile['kind'] {
  if (stats.isSymbolicLink()) {
    return 'link';
  }
  if (stats.isDirectory()) {
    return 'directory';
  }
  return stats.isFile() ? 'file' : 'other';
}

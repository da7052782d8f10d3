import { constants, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Redirection } from '@gemini-mcp/core';
import { pathOfDescriptor, realPathOfDescriptor } from '../../../files/descriptor-paths.ts';
import { chooseDescriptorProof, closeDescriptor, openVerified } from '../../../files/open-verified.ts';
import { isSensitivePath } from '../../../files/sensitive-names.ts';
import { type RunPlaces, realPathOf, shownPath } from './command-place.ts';
import { judgeRealPath } from './judge-redirections.ts';

export type OpenRedirectionOptions = {
  readonly redirection: Extract<Redirection, { readonly type: 'to-file' | 'from-file' }>;
  readonly places: RunPlaces;
  readonly directory: string;
  /** Paths as they are shown, to which the user has consented. */
  readonly consented: ReadonlySet<string>;
};

/** An open descriptor, or why there is none, in words such as those of a shell. */
export type OpenedFile =
  | { readonly ok: true; readonly descriptor: number }
  | { readonly ok: false; readonly reason: string };

/**
 * Opens a file for a command, judged again: what the path leads to may be another since the command line was judged. What was opened is
 * looked at before it is changed. The caller closes the descriptor.
 */
export async function openRedirection(options: OpenRedirectionOptions): Promise<OpenedFile> {
  const { redirection, directory } = options;
  const real = await realPathOf(resolve(directory, redirection.path));
  if (real === null) {
    return { ok: false, reason: 'it cannot be found' };
  }
  return redirection.type === 'from-file' ? openToRead(real, options) : openToWrite(real, redirection.appends, options);
}

function openToRead(path: string, { places }: OpenRedirectionOptions): OpenedFile {
  if (isSensitivePath(path)) {
    return { ok: false, reason: 'it is protected' };
  }
  const proof = chooseDescriptorProof();
  const opened = openVerified({ path, kind: 'file', roots: places.roots, proof, followsLink: false });
  return opened.ok
    ? { ok: true, descriptor: opened.descriptor }
    : { ok: false, reason: opened.detail ?? opened.reason };
}

function openToWrite(path: string, appends: boolean, options: OpenRedirectionOptions): OpenedFile {
  const { places, consented } = options;
  const { decision } = judgeRealPath(places, path);
  if (decision === 'deny' || (decision === 'ask' && !consented.has(shownPath(places, path)))) {
    return { ok: false, reason: 'it is protected' };
  }
  const above = openVerified({
    path: dirname(path),
    kind: 'directory',
    roots: places.roots,
    proof: chooseDescriptorProof(),
    followsLink: false,
  });
  if (!above.ok) {
    return { ok: false, reason: above.detail ?? above.reason };
  }
  try {
    return above.realPath === dirname(path) ? create(above.descriptor, path, appends) : moved;
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : 'it cannot be opened' };
  } finally {
    closeDescriptor(above.descriptor);
  }
}

const moved: OpenedFile = { ok: false, reason: 'it was moved while it was being opened' };

/** Emptied only once it is sure to be the file that was meant. */
function create(directory: number, path: string, appends: boolean): OpenedFile {
  const isLinux = process.platform === 'linux';
  const place = isLinux ? join(pathOfDescriptor(directory), basename(path)) : path;
  const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY, O_APPEND } = constants;
  const flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | (appends ? O_APPEND : 0);
  const descriptor = openSync(place, flags, 0o666);
  const isFile = fstatSync(descriptor).isFile();
  if (!isFile || (isLinux && realPathOfDescriptor(descriptor) !== path)) {
    closeDescriptor(descriptor);
    return isFile ? moved : { ok: false, reason: 'it is not a file' };
  }
  if (!appends) {
    ftruncateSync(descriptor);
  }
  return { ok: true, descriptor };
}

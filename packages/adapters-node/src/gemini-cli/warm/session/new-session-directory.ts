import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Clock, Lending } from '@gemini-mcp/core';
import type { CliRun } from '../../carrier.ts';
import { copyLimits } from '../../given-directory/copy-directory.ts';
import { DirectoryCopy } from '../../given-directory/directory-copy.ts';
import { copyRoots } from '../../given-directory/directory-view.ts';
import { createLentName } from '../../lending/lent-address.ts';
import type { AcpProcess } from '../process/acp-process.ts';
import type { SessionDirectory } from './warm-session.ts';

type PlaceOptions = {
  readonly clock: Clock;
  readonly run: Pick<CliRun, 'settings' | 'allowed'>;
  readonly directory: string | null;
  readonly lending: Pick<Lending, 'toolsDigest'> | null;
};

/** The directory of a session that is to come, and how it will find what is lent to it. Nothing is made yet. */
export function newSessionDirectory(given: PlaceOptions, process: AcpProcess): SessionDirectory {
  const { clock, directory, lending, run } = given;
  const { privateDirectories } = run.allowed;
  const { root, workspace } = process.directory;
  if (directory === null) {
    const lent = lending && { name: createLentName(), toolsDigest: lending.toolsDigest, nextNumber: 0 };
    return { cwd: workspace, copy: null, lent };
  }
  // The CLI takes such a name as it is for a name of its own.
  const cwd = join(root, 'directories', `directory-${randomUUID()}`);
  const roots = copyRoots(run.settings, run.allowed);
  const copy = new DirectoryCopy({ clock, from: directory, roots, to: cwd, privateDirectories, limits: copyLimits });
  return { cwd, copy, lent: null };
}

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lending } from '@gemini-mcp/core';
import type { Leading } from '../../inside-the-cli/lead-lent-calls.ts';
import type { RunDirectory } from '../run-directory/run-directory.ts';

/** Of a port that no request is sent to: an address leads somewhere only by its file. */
const prefix = 'http://127.0.0.1:1/';

const directoryName = 'lent';

/** Names the address at which one session finds its tools. */
export function createLentName(): string {
  return randomUUID();
}

/** The address, as the session gets it for as long as it lives. */
export function lentAddress(name: string): string {
  return `${prefix}${name}`;
}

/** Where the addresses of a process lead. */
export function lentLeading({ root }: Pick<RunDirectory, 'root'>): Leading {
  return { prefix, directory: join(root, directoryName) };
}

/** Leads an address to the tools of a run. Rejects when that cannot be written down. */
export async function leadTo(directory: RunDirectory, name: string, { url, token }: Lent): Promise<void> {
  await directory.write([{ path: join(directoryName, name), content: JSON.stringify({ url, token }) }]);
}

type Lent = Pick<Lending, 'url' | 'token'>;

/** The address leads nowhere any more. Never rejects. */
export async function leadNowhere({ root }: RunDirectory, name: string): Promise<void> {
  await rm(join(root, directoryName, name), { force: true }).catch(() => undefined);
}

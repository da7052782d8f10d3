import { existsSync, realpathSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { escapeName } from '@gemini-mcp/core/internal';
import { detectClient, type ImportedServer, type ImportName, importNames, readClientSettings } from '@gemini-mcp/hub';
import { clientFiles, projectFiles } from './client-files.ts';
import type { ClientPlaces } from './mcp-place.ts';
import { meantBy } from './mcp-results.ts';
import type { ImportAction } from './read-mcp-words.ts';

export type ReadImport = {
  /** By their names, each once. */
  readonly servers: readonly ImportedServer[];
  /** The files that were read. */
  readonly files: readonly string[];
  /** What could not be read, and what else there is: sentences. */
  readonly notes: readonly string[];
};

const maxBytes = 20_000_000;

/** The servers of another client, or of a file. Null, with the reason, where there is nothing to read. */
export async function readImport(
  { type, name }: ImportAction['from'],
  places: ClientPlaces,
): Promise<ReadImport | { readonly problem: string; readonly isUnknownName?: boolean }> {
  if (type === 'file') {
    const path = resolve(places.currentDirectory, name);
    return await readFiles([path], { client: null, places });
  }
  const client = importNames.find((one) => one === name);
  if (client === undefined) {
    const meant = meantBy(name, importNames, `Known are ${importNames.join(', ')}; --from reads a file.`);
    return { problem: `"${escapeName(name)}" is not a known client. ${meant}`, isUnknownName: true };
  }
  const files = clientFiles(client, places).filter((path) => existsSync(path));
  const others = projectFiles(client).filter((path) => {
    const whole = join(places.currentDirectory, path);
    return existsSync(whole) && !files.some((file) => realpathSync(file) === realpathSync(whole));
  });
  const hints = others.map((path) => `This project has settings of its own: mcp import --from ${path} reads them.`);
  if (files.length === 0) {
    const looked = clientFiles(client, places).map(escapeName).join(', ');
    return { problem: [`There are no settings of ${client}: ${looked}.`, ...hints].join(' ') };
  }
  const read = await readFiles(files, { client, places });
  return 'problem' in read ? read : { ...read, notes: [...read.notes, ...hints] };
}

async function readFiles(
  paths: readonly string[],
  { client, places }: { readonly client: ImportName | null; readonly places: ClientPlaces },
): Promise<ReadImport | { readonly problem: string }> {
  const servers = new Map<string, ImportedServer>();
  const notes: string[] = [];
  for (const path of paths) {
    const text = await readText(path);
    if (text === null) {
      return { problem: `${escapeName(path)} cannot be read.` };
    }
    const form = client ?? detectClient(path, text);
    const read = readClientSettings({ text, client: form, directory: places.currentDirectory });
    notes.push(...read.problems.map((problem) => `${escapeName(path)}: ${problem}`));
    for (const server of read.servers) {
      servers.set(server.name, servers.get(server.name) ?? server);
    }
  }
  return { servers: [...servers.values()], files: paths, notes };
}

async function readText(path: string): Promise<string | null> {
  try {
    const stats = await stat(path);
    return stats.isFile() && stats.size <= maxBytes ? await readFile(path, 'utf8') : null;
  } catch {
    return null;
  }
}

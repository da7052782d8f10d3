import { existsSync, realpathSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { countOf, escapeName } from '@gemini-mcp/core/internal';
import {
  describeProblem,
  detectClient,
  editUpstreamConfig,
  type ImportedServer,
  type ImportName,
  importNames,
  readClientSettings,
  serverNamesIn,
  showEntry,
} from '@gemini-mcp/upstreams';
import { askForYes, digestOfShown } from './approve-tools.ts';
import { clientFiles } from './client-files.ts';
import { allowedNote, secretsNote, type WrittenSettings, writeSettings } from './edit-servers.ts';
import {
  type ClientSettingsPaths,
  done,
  type McpContext,
  type McpResult,
  meantBy,
  noted,
  refusedCommand,
} from './mcp-context.ts';
import type { ImportAction } from './read-mcp-words.ts';

const maxServers = 200;

/** Shows the servers of another client's settings in our format, and writes exactly what it shows. */
export async function importServers(action: ImportAction, place: McpContext): Promise<McpResult> {
  const read = await readImport(action.from, place.clients);
  if ('problem' in read) {
    return unread(read);
  }
  const { servers, files, notes } = read;
  if (servers.length > maxServers) {
    return refusedCommand(`Found ${servers.length} servers, but one import takes at most ${maxServers}.`);
  }
  if (servers.length === 0) {
    return noted(refusedCommand(`${files.map(escapeName).join(', ')}: no servers to import.`), notes);
  }
  const digest = digestOfShown([action.scope, action.replaces, servers]);
  const plan = new ImportPlan(servers, { ...action, confirmed: action.confirmed === digest ? digest : null });
  const written = await plan.write(place);
  if (written.type === 'refused') {
    return noted(refusedCommand(...written.problems), notes);
  }
  const shown = plan.show();
  const secrets = secretsNote(plan.secrets());
  if (action.confirmed !== digest) {
    const next = plan.count === 0 ? [] : [askForYes(digest, action.confirmed, 'written')];
    return { ...noted(done(...shown), [...notes, ...secrets, ...next]), exitCode: action.confirmed === null ? 0 : 1 };
  }
  return noted(done(...shown, `${countOf(plan.count, 'server')} written to ${escapeName(written.path)}`), [
    ...notes,
    ...written.notes,
    ...allowedNote(written.allowed),
    ...secrets,
  ]);
}

/** An unknown client is a usage error, as for every command. */
function unread({
  problem,
  isUnknownName = false,
}: {
  readonly problem: string;
  readonly isUnknownName?: boolean;
}): McpResult {
  return isUnknownName ? { ...refusedCommand(problem), exitCode: 2 } : refusedCommand(problem);
}

/** The servers that an import writes. Invalid entries and taken names are left out and reported. */
class ImportPlan {
  readonly #servers: readonly ImportedServer[];
  readonly #action: ImportAction;
  /** Reasons for leaving a server out, by name. */
  readonly #leftOut = new Map<string, readonly string[]>();
  #path = '';

  constructor(servers: readonly ImportedServer[], action: ImportAction) {
    this.#servers = servers;
    this.#action = action;
  }

  get count(): number {
    return this.#servers.length - this.#leftOut.size;
  }

  /** Writes the servers, or computes the text for a preview. */
  async write(place: McpContext): Promise<WrittenSettings> {
    this.#path = place.paths[this.#action.scope] ?? '';
    return await writeSettings(
      {
        scope: this.#action.scope,
        describeProblem,
        isPreview: this.#action.confirmed === null,
        edit: (text, file) => {
          const entries = this.#entriesFor(text, file);
          return editUpstreamConfig(text, { type: 'put', servers: entries }, file);
        },
      },
      place,
    );
  }

  secrets(): readonly string[] {
    return this.#servers
      .filter(({ name }) => !this.#leftOut.has(name))
      .flatMap(({ name, entry }) => showEntry(entry).secrets.map((path) => `${name}: ${path}`));
  }

  show(): readonly string[] {
    return [`For ${escapeName(this.#path)}:`, '', ...this.#servers.flatMap((server) => this.#showOne(server))];
  }

  #showOne({ name, entry, remarks }: ImportedServer): readonly string[] {
    const leftOut = this.#leftOut.get(name);
    return [
      `${escapeName(name)}${leftOut === undefined ? ':' : ' is left out:'}`,
      ...(leftOut ?? []).map((line) => `  ${line}`),
      ...(leftOut === undefined
        ? showEntry(entry)
            .text.split('\n')
            .map((line) => `  ${line}`)
        : []),
      ...remarks.map((remark) => `  ${escapeName(remark)}`),
      '',
    ];
  }

  #entriesFor(text: string | null, file: string): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
    const entries = new Map<string, Readonly<Record<string, unknown>>>();
    const taken = new Set(serverNamesIn(text ?? ''));
    for (const { name, entry } of this.#servers) {
      const why = this.#whyNot({ name, entry }, taken.has(name), file);
      if (why.length > 0) {
        this.#leftOut.set(name, why);
      } else {
        entries.set(name, entry);
      }
    }
    return entries;
  }

  #whyNot({ name, entry }: Pick<ImportedServer, 'name' | 'entry'>, isTaken: boolean, file: string): readonly string[] {
    if (!this.#action.replaces && isTaken) {
      return ['A server with this name already exists. Replace it with --replace.'];
    }
    const alone = editUpstreamConfig('{}', { type: 'put', servers: new Map([[name, entry]]) }, file);
    return alone.type === 'edited' ? [] : alone.problems.map(({ message }) => escapeName(message));
  }
}

type ReadImport = {
  /** By name, each once. */
  readonly servers: readonly ImportedServer[];
  /** The files that were read. */
  readonly files: readonly string[];
  /** Sentences on unreadable files and other settings found. */
  readonly notes: readonly string[];
};

const maxBytes = 20_000_000;

/** Reads the servers of another client or of a file, or returns the problem if neither is readable. */
async function readImport(
  { type, name }: ImportAction['from'],
  places: ClientSettingsPaths,
): Promise<ReadImport | { readonly problem: string; readonly isUnknownName?: boolean }> {
  if (type === 'file') {
    const path = resolve(places.currentDirectory, name);
    return await readFiles([path], { client: null, places });
  }
  const client = importNames.find((one) => one === name);
  if (client === undefined) {
    const meant = meantBy(name, importNames, `Known clients: ${importNames.join(', ')}. To read a file, use --from.`);
    return { problem: `"${escapeName(name)}" is not a known client. ${meant}`, isUnknownName: true };
  }
  const { user, project } = clientFiles(client, places);
  const files = user.filter((path) => existsSync(path));
  const others = project.filter((path) => {
    const whole = join(places.currentDirectory, path);
    return existsSync(whole) && !files.some((file) => realpathSync(file) === realpathSync(whole));
  });
  const hints = others.map(
    (path) => `This project has its own settings. To import them, run: mcp import --from ${path}`,
  );
  if (files.length === 0) {
    const looked = user.map(escapeName).join(', ');
    return { problem: [`${client} has no settings: ${looked}.`, ...hints].join(' ') };
  }
  const read = await readFiles(files, { client, places });
  return 'problem' in read ? read : { ...read, notes: [...read.notes, ...hints] };
}

async function readFiles(
  paths: readonly string[],
  { client, places }: { readonly client: ImportName | null; readonly places: ClientSettingsPaths },
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

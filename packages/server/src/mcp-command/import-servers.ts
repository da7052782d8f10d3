import { countOf, escapeName } from '@gemini-mcp/core/internal';
import { describeProblem, editHubSettings, type ImportedServer, serverNamesIn, showEntry } from '@gemini-mcp/hub';
import { allowedNote, secretsNote } from './add-server.ts';
import { askForYes, digestOfShown } from './digest-of-shown.ts';
import type { McpPlace, McpResult } from './mcp-place.ts';
import { done, noted, refused } from './mcp-results.ts';
import { readImport } from './read-import.ts';
import type { ImportAction } from './read-mcp-words.ts';
import { type WrittenSettings, writeSettings } from './write-settings.ts';

const maxServers = 200;

/** Shows the servers of another client's settings as ours would have them, and writes just what it shows. */
export async function importServers(action: ImportAction, place: McpPlace): Promise<McpResult> {
  const read = await readImport(action.from, place.clients);
  if ('problem' in read) {
    return unread(read);
  }
  const { servers, files, notes } = read;
  if (servers.length > maxServers) {
    return refused(`There are ${servers.length} servers, and at most ${maxServers} are imported at a time.`);
  }
  if (servers.length === 0) {
    return noted(refused(`${files.map(escapeName).join(', ')}: there is no server to take over.`), notes);
  }
  const digest = digestOfShown([action.scope, action.replaces, servers]);
  const plan = new ImportPlan(servers, { ...action, confirmed: action.confirmed === digest ? digest : null });
  const written = await plan.write(place);
  if (written.type === 'refused') {
    return noted(refused(...written.problems), notes);
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

/** A client that is not known is a wrong word, as for every command. */
function unread({
  problem,
  isUnknownName = false,
}: {
  readonly problem: string;
  readonly isUnknownName?: boolean;
}): McpResult {
  return isUnknownName ? { ...refused(problem), exitCode: 2 } : refused(problem);
}

/** What of an import is written: mistakes and names that are taken are left out, and told. */
class ImportPlan {
  readonly #servers: readonly ImportedServer[];
  readonly #action: ImportAction;
  /** Why a server is left out. */
  readonly #leftOut = new Map<string, readonly string[]>();
  #path = '';

  constructor(servers: readonly ImportedServer[], action: ImportAction) {
    this.#servers = servers;
    this.#action = action;
  }

  get count(): number {
    return this.#servers.length - this.#leftOut.size;
  }

  /** Writes, or finds out what would be written. */
  async write(place: McpPlace): Promise<WrittenSettings> {
    this.#path = place.paths[this.#action.scope] ?? '';
    return await writeSettings(
      {
        scope: this.#action.scope,
        describeProblem,
        isPreview: this.#action.confirmed === null,
        edit: (text, file) => {
          const entries = this.#entriesFor(text, file);
          return editHubSettings(text, { type: 'put', servers: entries }, file);
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
      return ['There is a server of this name already. --replace puts this one in its place.'];
    }
    const alone = editHubSettings('{}', { type: 'put', servers: new Map([[name, entry]]) }, file);
    return alone.type === 'edited' ? [] : alone.problems.map(({ message }) => escapeName(message));
  }
}

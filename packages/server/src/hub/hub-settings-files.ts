import { realpath } from 'node:fs/promises';
import { type SettingsText, SettingsTextFile } from '@gemini-mcp/adapters-node/internal';
import { didYouMean, escapeName, type ProjectApprovals } from '@gemini-mcp/core/internal';
import type { HubSettings, SettingProblem } from '@gemini-mcp/hub';
import type { Configuration } from '../settings/configuration.ts';
import { loadHubLibrary } from './load-hub-library.ts';
import type { SettingsPlace } from './settings-places.ts';

/** What one settings file says. */
type HubSettingsFile = SettingsPlace & {
  /** `refused`: others may write it, or it cannot be read. `unapproved`: the user has not approved what this project's file says. */
  readonly state: 'none' | 'refused' | 'unapproved' | 'read';
  /** Of the file's bytes, SHA-256; empty where they were not read. */
  readonly digest: string;
  /** Null for a file that does not count. */
  readonly settings: HubSettings | null;
  /** The servers that an unapproved file names; null if it cannot be read. */
  readonly unapproved: readonly string[] | null;
};

export type HubSettingsRead = {
  /** Of all files that count, with the problems of all. */
  readonly merged: HubSettings;
  readonly files: readonly HubSettingsFile[];
};

export type HubSettingsFilesOptions = {
  /** What the settings of this program name: a file of servers, and servers that are offered to clients. */
  readonly named?: Pick<Configuration, 'serversFile' | 'offeredServers'>;
  readonly places: readonly SettingsPlace[];
  readonly approvals: Pick<ProjectApprovals, 'isApproved'>;
};

type Look = { readonly texts: readonly SettingsText[]; readonly approved: boolean; readonly read: HubSettingsRead };

/** The settings of other servers, from files that are read again when they have changed. */
export class HubSettingsFiles {
  readonly #options: HubSettingsFilesOptions;
  readonly #files: readonly SettingsTextFile[];
  #last: Look | null = null;

  constructor(options: HubSettingsFilesOptions) {
    this.#options = options;
    this.#files = options.places.map((place) => new SettingsTextFile(place));
  }

  /** Whether there is any file: without one there is no server. Never rejects. */
  async isThere(): Promise<boolean> {
    return (await this.#texts()).some(({ type }) => type !== 'none');
  }

  /** What is named and is not there: sentences for a user. Never rejects. */
  async findMissing(): Promise<readonly string[]> {
    const { serversFile = null, offeredServers = [] } = this.#options.named ?? {};
    const index = this.#options.places.findIndex(({ path }) => path === serversFile);
    const isMissing = index >= 0 && (await this.#texts())[index]?.type === 'none';
    const missing = isMissing ? [`GEMINI_MCP_SERVERS_FILE names ${serversFile}, which does not exist.`] : [];
    // A name of a tool has its server's before "__", made fit for clients.
    const offered: readonly string[] = offeredServers.filter((name) => name !== 'all' && !name.includes('__'));
    if (offered.length === 0 || this.#options.places.length === 0) {
      return missing;
    }
    const known = [...(await this.read()).merged.servers.keys()];
    const unknown = offered.filter((name) => !known.includes(name));
    return [
      ...missing,
      ...unknown.map(
        (name) =>
          `GEMINI_MCP_OFFER_SERVERS names ${escapeName(name)}, and there is no such server.${didYouMean(name, known)}`,
      ),
    ];
  }

  /** The same object for as long as nothing has changed. */
  async read(): Promise<HubSettingsRead> {
    const texts = await this.#texts();
    const approved = await this.#isProjectApproved(texts);
    const last = this.#last;
    if (last !== null && last.approved === approved && texts.every((text, index) => text === last.texts[index])) {
      return last.read;
    }
    const read = await this.#parse(texts, approved);
    this.#last = { texts, approved, read };
    return read;
  }

  async #texts(): Promise<readonly SettingsText[]> {
    return await Promise.all(this.#files.map((file) => file.read()));
  }

  async #isProjectApproved(texts: readonly SettingsText[]): Promise<boolean> {
    const { places, approvals } = this.#options;
    const index = places.findIndex(({ scope }) => scope === 'project');
    const [place, text] = [places[index], texts[index]];
    if (place === undefined || text?.type !== 'text') {
      return false;
    }
    return await approvals.isApproved({ directory: await realDirectoryOf(place), digest: text.digest });
  }

  async #parse(texts: readonly SettingsText[], approved: boolean): Promise<HubSettingsRead> {
    const { mergeHubSettings } = await loadHubLibrary();
    const files = await Promise.all(
      this.#options.places.map((place, index) => readFile(place, texts[index] ?? { type: 'none' }, approved)),
    );
    const counting = files.flatMap(({ state, settings }) => (state === 'read' && settings !== null ? [settings] : []));
    const merged = mergeHubSettings(counting);
    const others = files.flatMap((file, index) => problemsOf(file, texts[index] ?? { type: 'none' }));
    return { merged: { ...merged, problems: [...merged.problems, ...others] }, files };
  }
}

/** The project as its approval names it. */
async function realDirectoryOf({ directory }: Pick<SettingsPlace, 'directory'>): Promise<string> {
  return await realpath(directory).catch(() => directory);
}

async function readFile(place: SettingsPlace, text: SettingsText, approved: boolean): Promise<HubSettingsFile> {
  if (text.type !== 'text') {
    return { ...place, state: text.type, digest: '', settings: null, unapproved: [] };
  }
  const { readHubSettings, readServerNames, bindToPlace } = await loadHubLibrary();
  const { digest } = text;
  if (place.scope === 'project' && !approved) {
    return { ...place, state: 'unapproved', digest, settings: null, unapproved: readServerNames(text.text) };
  }
  const read = readHubSettings(text.text, place.path);
  const settings = place.scope === 'project' ? bindToPlace(read, await realDirectoryOf(place)) : read;
  return { ...place, state: 'read', digest, settings, unapproved: [] };
}

function problemsOf({ path, state, unapproved }: HubSettingsFile, text: SettingsText): readonly SettingProblem[] {
  if (text.type === 'refused') {
    return [{ file: path, line: null, path: '', message: `This file ${text.reason}.` }];
  }
  if (state !== 'unapproved' || unapproved?.length === 0) {
    return [];
  }
  const message =
    'The servers of this project are not used before you have read and approved them: run "gemini-mcp-server mcp approve --project" there.';
  return [{ file: path, line: null, path: '', message }];
}

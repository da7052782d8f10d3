import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type SettingsText, SettingsTextFile, type SettingsWriter } from '@gemini-mcp/adapters-node/internal';
import type { RecordStore } from '@gemini-mcp/core';
import { didYouMean, escapeName, ProjectApprovals, type ServerOff, usualProgram } from '@gemini-mcp/core/internal';
import { digestOf, loadUpstreamsLibrary, loopVariable } from '@gemini-mcp/gemini/internal';
import type { ServerEntry, SettingProblem, UpstreamConfig } from '@gemini-mcp/upstreams';
import type { Configuration } from '../settings/read-configuration.ts';
import type { SettingsEnvironment } from '../settings/setting.ts';

export type UpstreamConfigLocation = {
  readonly configuration: Configuration;
  readonly environment: SettingsEnvironment;
  readonly isOfOneUser: boolean;
  /** Looks up the user's approvals. */
  readonly records: RecordStore;
  /** The shell command of this server. Defaults to `gemini-mcp-server`. */
  readonly program?: string | undefined;
};

/** Creates the settings files of upstream servers for a server with this configuration. */
export function openUpstreamConfig({
  configuration,
  environment,
  isOfOneUser,
  records,
  program,
}: UpstreamConfigLocation): UpstreamConfigFiles {
  return new UpstreamConfigFiles({
    // A server started by another gemini-mcp-server uses no upstream servers: one of them could be itself.
    places: environment[loopVariable] === undefined ? settingsPlaces({ configuration, isOfOneUser }) : [],
    named: configuration,
    approvals: new ProjectApprovals(records, digestOf),
    program,
  });
}

/** The contents of one settings file. */
type UpstreamConfigFile = SettingsLocation & {
  /** `refused`: others may write it, or it cannot be read. `unapproved`: the user has not approved what this project's file says. */
  readonly state: 'none' | 'refused' | 'unapproved' | 'read';
  /** SHA-256 of the file's bytes; empty if not read. */
  readonly digest: string;
  /** Null for an ignored file. */
  readonly settings: UpstreamConfig | null;
  /** The servers in an unapproved file; null if unreadable. */
  readonly unapproved: readonly string[] | null;
};

export type UpstreamConfigRead = {
  /** The merged settings of all files in effect, with the problems of all files. */
  readonly merged: UpstreamConfig;
  readonly files: readonly UpstreamConfigFile[];
};

type UpstreamConfigFilesOptions = {
  /** The names in this program's settings: a file of servers, and servers offered to clients. */
  readonly named?: Pick<Configuration, 'serversFile' | 'offeredServers'>;
  readonly places: readonly SettingsLocation[];
  readonly approvals: Pick<ProjectApprovals, 'isApproved'>;
  readonly program?: string | undefined;
};

type Look = { readonly texts: readonly SettingsText[]; readonly approved: boolean; readonly read: UpstreamConfigRead };

/** The upstream server settings, from files that are read again after changes. */
export class UpstreamConfigFiles {
  readonly #options: UpstreamConfigFilesOptions;
  readonly #files: readonly SettingsTextFile[];
  #last: Look | null = null;

  constructor(options: UpstreamConfigFilesOptions) {
    this.#options = options;
    this.#files = options.places.map((place) => new SettingsTextFile(place));
  }

  /** Whether any file exists; without one, no server is configured. Never rejects. */
  async isThere(): Promise<boolean> {
    return (await this.#texts()).some(({ type }) => type !== 'none');
  }

  /** Resolves to sentences for a user on names without a file or server. Never rejects. */
  async findMissing(): Promise<readonly string[]> {
    const { serversFile = null, offeredServers = [] } = this.#options.named ?? {};
    const index = this.#options.places.findIndex(({ path }) => path === serversFile);
    const isMissing = index >= 0 && (await this.#texts())[index]?.type === 'none';
    const missing = isMissing ? [`GEMINI_MCP_SERVERS_FILE names ${serversFile}, which does not exist.`] : [];
    // A tool name begins with its server's name in client-safe form, then "__".
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
          `GEMINI_MCP_OFFER_SERVERS names ${escapeName(name)}, but no server has this name.${didYouMean(name, known)}`,
      ),
    ];
  }

  /** Returns the same object until a file changes. */
  async read(): Promise<UpstreamConfigRead> {
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

  async #parse(texts: readonly SettingsText[], approved: boolean): Promise<UpstreamConfigRead> {
    const { mergeUpstreamConfig } = await loadUpstreamsLibrary();
    const files = await Promise.all(
      this.#options.places.map((place, index) => readFile(place, texts[index] ?? { type: 'none' }, approved)),
    );
    const counting = files.flatMap(({ state, settings }) => (state === 'read' && settings !== null ? [settings] : []));
    const merged = mergeUpstreamConfig(counting);
    const others = files.flatMap((file, index) =>
      problemsOf(file, texts[index] ?? { type: 'none' }, this.#options.program),
    );
    return { merged: { ...merged, problems: [...merged.problems, ...others] }, files };
  }
}

/** The project path in approvals. */
async function realDirectoryOf({ directory }: Pick<SettingsLocation, 'directory'>): Promise<string> {
  return await realpath(directory).catch(() => directory);
}

async function readFile(place: SettingsLocation, text: SettingsText, approved: boolean): Promise<UpstreamConfigFile> {
  if (text.type !== 'text') {
    return { ...place, state: text.type, digest: '', settings: null, unapproved: [] };
  }
  const { readUpstreamConfig, readServerNames, bindToPlace } = await loadUpstreamsLibrary();
  const { digest } = text;
  if (place.scope === 'project' && !approved) {
    return { ...place, state: 'unapproved', digest, settings: null, unapproved: readServerNames(text.text) };
  }
  const read = readUpstreamConfig(text.text, place.path);
  const settings = place.scope === 'project' ? bindToPlace(read, await realDirectoryOf(place)) : read;
  return { ...place, state: 'read', digest, settings, unapproved: [] };
}

function problemsOf(
  { path, state, unapproved }: UpstreamConfigFile,
  text: SettingsText,
  program: string = usualProgram,
): readonly SettingProblem[] {
  if (text.type === 'refused') {
    return [{ file: path, line: null, path: '', message: `This file ${text.reason}.` }];
  }
  if (state !== 'unapproved' || unapproved?.length === 0) {
    return [];
  }
  const message = `The servers of this project are off until you approve them. Run there: ${program} mcp approve --project`;
  return [{ file: path, line: null, path: '', message }];
}

type SettingsScope = 'operator' | 'user' | 'project';

/** A possible location of upstream server settings. */
type SettingsLocation = {
  readonly scope: SettingsScope;
  readonly path: string;
  readonly writer: SettingsWriter;
  /** Start directory of its programs, and base of its relative paths. */
  readonly directory: string;
};

type SettingsPlacesOptions = {
  readonly configuration: Pick<
    Configuration,
    'serversFile' | 'userServersFile' | 'workingDirectory' | 'noRootBecause' | 'userDirectory'
  >;
  /** An HTTP server has no single user: only settings named by its operator count, not those in a home or a project. */
  readonly isOfOneUser: boolean;
  readonly operatorFile?: string;
};

/** In order of precedence, highest first. */
export function settingsPlaces({
  configuration,
  isOfOneUser,
  operatorFile = usualOperatorFile(),
}: SettingsPlacesOptions): readonly SettingsLocation[] {
  const { serversFile, userServersFile, workingDirectory, noRootBecause, userDirectory } = configuration;
  const home = join(userDirectory, '..');
  const own = serversFile ?? (isOfOneUser ? userServersFile : 'off');
  const hasProject = isOfOneUser && own !== 'off' && noRootBecause === null;
  return [
    { scope: 'operator', path: operatorFile, writer: 'administrator', directory: home },
    ...(own === 'off' ? [] : [{ scope: 'user', path: own, writer: 'user', directory: home } as const]),
    ...(hasProject
      ? [
          {
            scope: 'project',
            path: join(workingDirectory, '.gemini-mcp', 'settings.json'),
            writer: 'anyone',
            directory: workingDirectory,
          } as const,
        ]
      : []),
  ];
}

function usualOperatorFile(): string {
  const file = ['gemini-mcp-server', 'settings.json'];
  switch (process.platform) {
    case 'darwin':
      return join('/Library/Application Support', ...file);
    case 'win32':
      return join('C:\\ProgramData', ...file);
    default:
      return join('/etc', ...file);
  }
}

type ReadForServersOff = Pick<UpstreamConfigRead, 'merged'> & {
  readonly files: readonly Pick<UpstreamConfigRead['files'][number], 'unapproved'>[];
};

/** Servers in the settings that are not used, with the reasons. */
export function serversOff({ merged, files }: ReadForServersOff, used: ReadonlySet<string>): readonly ServerOff[] {
  const off = [...merged.servers.values()].filter(({ name }) => !used.has(name));
  const named = files.flatMap(({ unapproved }) => unapproved ?? []);
  const waiting = [...new Set(named)].filter((name) => !used.has(name) && !merged.servers.has(name));
  const reason = 'The settings of this project are not approved. Run: mcp approve --project';
  return [
    ...off.map(({ name, description, transport, ...entry }) => {
      return { name, description, transport: transport.type, reason: whyOff(merged, { name, ...entry }) };
    }),
    ...waiting.map((name) => ({ name, description: null, transport: null, reason })),
  ];
}

function whyOff(
  { allowed, excluded }: UpstreamConfig,
  { name, isEnabled }: Pick<ServerEntry, 'name' | 'isEnabled'>,
): string {
  if (!isEnabled) {
    return 'Its settings disable it. To enable it, run: mcp enable';
  }
  if (excluded.includes(name)) {
    return 'The settings exclude it in mcp.excluded.';
  }
  return allowed?.includes(name) === false ? 'The settings do not list it in mcp.allowed.' : 'It is not used here.';
}

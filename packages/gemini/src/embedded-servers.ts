import { pathToFileURL } from 'node:url';
import { SystemClock } from '@gemini-mcp/adapters-node';
import { ContainedServerProcesses, findRealPath, ProgramPath } from '@gemini-mcp/adapters-node/internal';
import { type AnswerStore, InMemoryRecordStore, type ToolProviderFactory } from '@gemini-mcp/core';
import { closeBeforeExit } from './close-before-exit.ts';
import type { GeminiPlace } from './find-place.ts';
import type { GeminiOptions } from './gemini-options.ts';
import { composeUpstreams } from './upstreams/compose-upstreams.ts';
import { Lazy, loadUpstreamsLibrary } from './upstreams/load-upstreams-library.ts';
import { loopVariable } from './upstreams/reach-server.ts';
import type { UpstreamSettings, UpstreamSettingsRead } from './upstreams/upstream-settings.ts';
import { UpstreamToolProviderFactory } from './upstreams/upstream-tool-provider-factory.ts';

export type EmbeddedServers = {
  readonly toolProviderFactory: ToolProviderFactory;
  /** Ends all servers. Resolves when nothing of them is left. */
  readonly close: () => Promise<void>;
};

/** The program as servers see it, with the package's version. */
export const client = { name: 'gemini-mcp-embedded', version: '1.0.0' } as const;

/** A program often ends after its first call, right after its servers have started: it waits for them. */
const listWaitMs = 30_000;

/** A connection over HTTP keeps the program alive. */
const idleMs = 60_000;

/**
 * The servers of `mcpServers`, or null without them. Reads, loads and starts nothing before a call names one. Throws for
 * invalid JSON.
 */
export function createEmbeddedServers(options: GeminiOptions, place: GeminiPlace): EmbeddedServers | null {
  if (options.mcpServers === undefined) {
    return null;
  }
  const { clock = new SystemClock() } = options;
  const { environment, home, workingDirectory, roots, noRootBecause } = place;
  let forget = (): void => undefined;
  const settings = createSettings(options, place, () => {
    forget = closeBeforeExit(servers);
  });
  const directories = [workingDirectory, ...roots].map(findRealPath);
  const programPath = new ProgramPath({ environment, roots: directories });
  const named = noRootBecause === null ? directories.map((path) => pathToFileURL(path).href) : null;
  const { upstreams } = composeUpstreams({
    ...{ settings, environment, home, workingDirectory, client, remedies },
    clock: clock instanceof SystemClock ? new SystemClock({ keepsAlive: false }) : clock,
    processes: new ContainedServerProcesses({ environment, programPath, keepsAlive: false }),
    limits: { idleMs },
    records: new InMemoryRecordStore(),
    localRecords: new InMemoryRecordStore(),
    sealsLogins: false,
    isOfOneUser: true,
    roots: () => (named === null ? null : async () => named),
    log: () => undefined,
  });
  const toolProviderFactory = new UpstreamToolProviderFactory({
    upstreams,
    ownerOf: (owner) => owner,
    answers: keepsNothing,
    ownNames: [],
    listWaitMs,
    howToAdd: isStartedByUs(place) ? startedByUs : 'Add it to `mcpServers` of createGemini.',
    findMistake: (names) => findMistake(names, settings),
  });
  const servers = {
    toolProviderFactory,
    close: async () => {
      forget();
      await upstreams.close();
    },
  };
  return servers;
}

/** What users can do, in words that follow a colon. */
const remedies = {
  login: () => 'give it an `Authorization` in its `headers`, such as a reference to a secret.',
  approve: () => "a new createGemini lends it as it is by then, and `pin: 'off'` as it is at any time.",
};

/** An environment that the program made for its calls may lack the mark. */
function isStartedByUs({ environment }: GeminiPlace): boolean {
  return (environment[loopVariable] ?? process.env[loopVariable]) !== undefined;
}

const startedByUs = 'This program runs as a server of another program of its kind, and so offers none.';

/** A program cannot read the rest of a long result. */
const keepsNothing: AnswerStore = {
  save: async (_, signal) => {
    signal.throwIfAborted();
    return { saved: false, detail: 'This program keeps no long results' };
  },
  load: async () => null,
  list: async () => [],
};

/** Takes the options for a settings file, once: a later change of them changes nothing. */
function createSettings({ mcpServers, mcp }: GeminiOptions, place: GeminiPlace, onRead: () => void): UpstreamSettings {
  const text = JSON.stringify({ mcpServers, mcp });
  const read = new Lazy(async (): Promise<UpstreamSettingsRead> => {
    const { readUpstreamConfig } = await loadUpstreamsLibrary();
    const merged = readUpstreamConfig(text, 'createGemini');
    onRead();
    return { merged, files: [{ directory: place.workingDirectory, settings: merged }] };
  });
  return {
    // One that a server of this kind has started speaks with no others: it could be its own.
    isThere: async () => !isStartedByUs(place),
    read: () => read.get(),
  };
}

/** The fault of a named server, or of all of them. */
async function findMistake(names: readonly string[], settings: UpstreamSettings): Promise<string | null> {
  if (!(await settings.isThere())) {
    return null;
  }
  const { merged } = await settings.read();
  const places = ['mcp', ...names.map((name) => `mcpServers.${name}`)];
  const concerns = (path: string): boolean =>
    ['', 'mcpServers'].includes(path) || places.some((place) => path === place || path.startsWith(`${place}.`));
  const mistake = merged.problems.find(({ path }) => concerns(path));
  return mistake === undefined
    ? null
    : `createGemini was given a wrong \`${mistake.path || 'mcpServers'}\`: ${mistake.message}`;
}

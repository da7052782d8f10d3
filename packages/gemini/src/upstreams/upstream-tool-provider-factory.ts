import type { AnswerStore, RequestedServers, ToolProvider, ToolProviderFactory } from '@gemini-mcp/core';
import { nearestName } from '@gemini-mcp/core/internal';
import type { LazyUpstreams } from './lazy-upstreams.ts';
import { loadUpstreamsLibrary } from './load-upstreams-library.ts';

export type UpstreamToolProviderFactoryOptions = {
  readonly upstreams: Pick<LazyUpstreams, 'of' | 'problem'>;
  /** Maps the owner of a call to the owner of its servers. */
  readonly ownerOf: (owner: string) => string;
  readonly answers: AnswerStore;
  /** Names of our own tools, which a server's tools may imitate. */
  readonly ownNames: readonly string[];
  /** How a user adds a server: a sentence. */
  readonly howToAdd: string;
  /** As in `UpstreamToolProviderOptions`. */
  readonly listWaitMs?: number;
  /**
   * A mistake in these servers' settings that refuses the call: a sentence. If missing, users read of mistakes elsewhere.
   * Never rejects.
   */
  readonly findMistake?: (names: readonly string[]) => Promise<string | null>;
};

const never = new AbortController().signal;
const maxNamed = 20;

/** Gives runs the tools of other servers. The library is loaded with the first run that gets some. */
export class UpstreamToolProviderFactory implements ToolProviderFactory {
  readonly #options: UpstreamToolProviderFactoryOptions;

  constructor(options: UpstreamToolProviderFactoryOptions) {
    this.#options = options;
  }

  async findMissing(owner: string, names: readonly string[]): Promise<string | null> {
    const { upstreams, howToAdd, findMistake } = this.#options;
    const problem = (await upstreams.problem()) ?? (await findMistake?.(names)) ?? null;
    if (problem !== null) {
      return problem;
    }
    const known = await this.#namesOf(owner);
    const missing = names.find((name) => !known.includes(name));
    if (missing === undefined) {
      return null;
    }
    const shown = JSON.stringify(missing);
    if (known.length === 0) {
      return `No server is named ${shown}: no other servers are configured. ${howToAdd}`;
    }
    const nearest = nearestName(missing, known);
    const meant = nearest === null ? '' : ` Did you mean ${JSON.stringify(nearest)}?`;
    const listed = known.slice(0, maxNamed).map((name) => JSON.stringify(name));
    return `No enabled server is named ${shown}.${meant} The servers are: ${listed.join(', ')}.`;
  }

  async create({ owner, ...servers }: RequestedServers): Promise<ToolProvider> {
    const { upstreams, ownerOf, answers, ownNames, listWaitMs } = this.#options;
    if ((await this.#namesOf(owner)).length === 0) {
      return noTools;
    }
    const { UpstreamToolProvider } = await loadUpstreamsLibrary();
    // A result that is too long is kept for the caller, who reads it with gemini_read.
    const kept = { owner, answers, ownNames, ...(listWaitMs !== undefined && { listWaitMs }) };
    return new UpstreamToolProvider({ ...servers, ...kept, servers: upstreams.of(ownerOf(owner)) });
  }

  async #namesOf(owner: string): Promise<readonly string[]> {
    const { upstreams, ownerOf } = this.#options;
    const servers = await upstreams
      .of(ownerOf(owner))
      .list({ waitMs: 0 }, never)
      .catch(() => []);
    return servers.map(({ name }) => name);
  }
}

const noTools: ToolProvider = {
  list: async (signal) => {
    signal.throwIfAborted();
    return [];
  },
  call: async () => ({
    text: 'Refused: This tool does not exist.',
    data: { code: 'not-found', message: 'This tool does not exist.' },
    isDone: false,
  }),
};

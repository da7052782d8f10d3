import type { AnswerStore, ServerLender, ServersToLend, ToolSource } from '@gemini-mcp/core';
import { nearestName } from '@gemini-mcp/core/internal';
import type { LazyUpstreams } from './lazy-upstreams.ts';
import { loadHubLibrary } from './load-hub-library.ts';

export type UpstreamLenderOptions = {
  readonly hub: Pick<LazyUpstreams, 'of' | 'problem'>;
  /** Maps the owner of a call to the owner of its servers. */
  readonly ownerOf: (owner: string) => string;
  readonly answers: AnswerStore;
  /** Names of our own tools, which a server's tools may imitate. */
  readonly ownNames: readonly string[];
  /** How a user adds a server: a sentence. */
  readonly howToAdd: string;
  /** As in `OtherServersSourceOptions`. */
  readonly listWaitMs?: number;
  /** A mistake in the settings of these servers, for which the call is refused: a sentence. If missing, users read of mistakes elsewhere. Never rejects. */
  readonly findMistake?: (names: readonly string[]) => Promise<string | null>;
};

const never = new AbortController().signal;
const maxNamed = 20;

/** Gives runs the tools of other servers. The library is loaded with the first run that gets some. */
export class UpstreamLender implements ServerLender {
  readonly #options: UpstreamLenderOptions;

  constructor(options: UpstreamLenderOptions) {
    this.#options = options;
  }

  async findMissing(owner: string, names: readonly string[]): Promise<string | null> {
    const { hub, howToAdd, findMistake } = this.#options;
    const problem = (await hub.problem()) ?? (await findMistake?.(names)) ?? null;
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
      return `There is no server ${shown}: no other servers are configured. ${howToAdd}`;
    }
    const nearest = nearestName(missing, known);
    const meant = nearest === null ? '' : ` Did you mean ${JSON.stringify(nearest)}?`;
    const listed = known.slice(0, maxNamed).map((name) => JSON.stringify(name));
    return `There is no server ${shown}, or it is off.${meant} The servers are: ${listed.join(', ')}.`;
  }

  async lend({ owner, ...servers }: ServersToLend): Promise<ToolSource> {
    const { hub, ownerOf, answers, ownNames, listWaitMs } = this.#options;
    if ((await this.#namesOf(owner)).length === 0) {
      return noTools;
    }
    const { OtherServersSource } = await loadHubLibrary();
    // What is too long for a result is kept for the one who calls, who reads it by gemini_read.
    const kept = { owner, answers, ownNames, ...(listWaitMs !== undefined && { listWaitMs }) };
    return new OtherServersSource({ ...servers, ...kept, servers: hub.of(ownerOf(owner)) });
  }

  async #namesOf(owner: string): Promise<readonly string[]> {
    const { hub, ownerOf } = this.#options;
    const servers = await hub
      .of(ownerOf(owner))
      .list({ waitMs: 0 }, never)
      .catch(() => []);
    return servers.map(({ name }) => name);
  }
}

const noTools: ToolSource = {
  list: async (signal) => {
    signal.throwIfAborted();
    return [];
  },
  call: async () => ({
    text: 'Refused: There is no such tool.',
    data: { code: 'not-found', message: 'There is no such tool.' },
    isDone: false,
  }),
};

import type { Clock, LentCall, LentResult, LentTool, ToolSource } from '@gemini-mcp/core';
import {
  quoteStrangers,
  restoreNames,
  type ServerLists,
  type ServerReply,
  type ServerTool,
  waitAtMost,
} from '@gemini-mcp/core/internal';
import type { Upstream } from '../connection/upstream.ts';
import { type LentServerTool, lendTools } from './lend-tools.ts';

/** Says what Gemini is told of an answer of a server. Rejects only when it is aborted. */
export type ReadAnswer = (
  result: Readonly<Record<string, unknown>>,
  tool: ServerTool,
  signal: AbortSignal,
) => Promise<LentResult>;

export type UpstreamSourceOptions = {
  readonly clock: Clock;
  /** In the order in which their tools are listed. */
  readonly upstreams: readonly Upstream[];
  readonly readAnswer: ReadAnswer;
  /** How long a list waits for servers of which nothing is known yet: 5 s when it is missing. */
  readonly listWaitMs?: number;
};

const maxSaidCharacters = 2_000;

/**
 * The tools of other servers, for one owner. The list comes from what is known of each server and waits for none that was listed before; one
 * that was not is asked, and left out where it does not answer in time: its tools come with the next change.
 */
export class UpstreamSource implements ToolSource {
  readonly #options: UpstreamSourceOptions;
  readonly #listeners = new Set<() => void>();
  /** By what they were made of: lists are replaced, never changed. */
  readonly #lent = new WeakMap<ServerLists, readonly LentServerTool[]>();

  constructor(options: UpstreamSourceOptions) {
    this.#options = options;
  }

  async list(signal: AbortSignal): Promise<readonly LentTool[]> {
    signal.throwIfAborted();
    const { upstreams } = this.#options;
    const lists = await Promise.all(upstreams.map((upstream) => this.#toolsOf(upstream, signal)));
    signal.throwIfAborted();
    return lists.flat().map(({ lent }) => lent);
  }

  async call(call: LentCall, signal: AbortSignal): Promise<LentResult> {
    if (signal.aborted) {
      return refusal('cancelled', 'The call was cancelled before it began.');
    }
    const found = await this.#find(call.name, signal);
    if (found === null) {
      return refusal('not-found', 'There is no such tool. Call one of the list.');
    }
    const { upstream, tool } = found;
    const args = restoreNames(call.arguments, tool.originals);
    const outcome = await upstream.request(
      {
        method: 'tools/call',
        params: { name: tool.tool, arguments: args },
        deadlineAtMs: call.deadlineAtMs,
        onProgress: call.onProgress,
      },
      signal,
    );
    return await this.#describe(outcome, { server: upstream.name, tool: tool.tool }, signal);
  }

  onChange(listener: () => void): () => void {
    // Each its own: one listener may listen twice, and stop once.
    const hear = (): void => listener();
    this.#listeners.add(hear);
    return () => {
      this.#listeners.delete(hear);
    };
  }

  /** To be told when the lists of a server have changed. */
  tellChange(): void {
    for (const hear of [...this.#listeners]) {
      hear();
    }
  }

  async #find(name: string, signal: AbortSignal): Promise<{ upstream: Upstream; tool: LentServerTool } | null> {
    for (const upstream of this.#options.upstreams) {
      const tools = await this.#toolsOf(upstream, signal);
      const tool = tools.find(({ lent }) => lent.name === name);
      if (tool !== undefined) {
        return { upstream, tool };
      }
    }
    return null;
  }

  async #toolsOf(upstream: Upstream, signal: AbortSignal): Promise<readonly LentServerTool[]> {
    const known = (await upstream.knownLists()) ?? (await this.#firstLists(upstream, signal));
    if (known === null) {
      return [];
    }
    const lent = this.#lent.get(known) ?? lendTools(upstream.name, known);
    this.#lent.set(known, lent);
    return lent;
  }

  async #firstLists(upstream: Upstream, signal: AbortSignal): Promise<ServerLists | null> {
    const { clock, listWaitMs = 5_000 } = this.#options;
    // Goes on when nothing waits for it any more: others are glad of it.
    const event = upstream.connect(new AbortController().signal);
    await waitAtMost({ event, durationMs: listWaitMs, clock }, signal);
    return await upstream.knownLists();
  }

  async #describe(outcome: ServerReply, tool: ServerTool, signal: AbortSignal): Promise<LentResult> {
    const { server } = tool;
    switch (outcome.type) {
      case 'answered':
        return await this.#read(outcome.result, tool, signal);
      case 'error': {
        const said = quoteStrangers(outcome.message.slice(0, maxSaidCharacters));
        return failure('server-error', `The server ${server} refused the call:\n${said}`, true);
      }
      case 'unavailable':
        return failure('server-unavailable', `The server ${server} is not there. ${outcome.detail}`, outcome.wasSent);
      case 'timed-out':
        return failure('timeout', `The server ${server} did not answer in time.`, outcome.wasSent);
      case 'cancelled':
        return failure('cancelled', 'The call was cancelled.', outcome.wasSent);
    }
  }

  async #read(result: Readonly<Record<string, unknown>>, tool: ServerTool, signal: AbortSignal): Promise<LentResult> {
    try {
      return await this.#options.readAnswer(result, tool, signal);
    } catch {
      return failure('cancelled', 'The call was cancelled after the server had answered.', true);
    }
  }
}

function refusal(code: string, message: string): LentResult {
  return { text: `Refused: ${message}`, data: { code, message }, isDone: false };
}

/** `wasSent`: the server may have carried it out, so no one may count on nothing being changed. */
function failure(code: string, message: string, wasSent: boolean): LentResult {
  const note = wasSent ? ' It may have been carried out all the same.' : '';
  const text = code === 'server-error' ? `Failed: ${message}` : `Failed: ${message}${note}`;
  return { text, data: { code, message }, isDone: wasSent };
}

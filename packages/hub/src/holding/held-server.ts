import {
  type ArgumentCompletion,
  approveCommand,
  canonicalJson,
  type JudgedTool,
  type ListedTool,
  type OtherServer,
  type OtherServerRequest,
  type SamplingRequest,
  type ServerReply,
  waitAtMost,
} from '@gemini-mcp/core/internal';
import type { AnswerSampling } from '../connection/server-requests.ts';
import { Upstream } from '../connection/upstream.ts';
import type { UpstreamRequest } from '../connection/upstream-options.ts';
import { digestOf } from '../digest-of.ts';
import { offersTool, type ServerEntry } from '../settings/server-entry.ts';
import { CallQuestions } from './call-questions.ts';
import type { HubOptions } from './hub-options.ts';
import { JudgedLists } from './judged-lists.ts';

export type HeldServerOptions = {
  readonly hub: HubOptions;
  readonly entry: ServerEntry;
  /** Null for a server that all owners share. */
  readonly owner: string | null;
  /** The state of the connection, or the lists, have changed. */
  readonly onChange: () => void;
};

const defaultCallTimeoutMs = 600_000;

/** A server as its owner has configured it, with its connection, its lists and the judgement of its tools. */
export class HeldServer {
  readonly #hub: HubOptions;
  readonly #upstream: Upstream;
  readonly #judged: JudgedLists;
  readonly #questions = new CallQuestions();
  #entry: ServerEntry;

  constructor({ hub, entry, owner, onChange }: HeldServerOptions) {
    const { clock, processes, limits, client, keptLists, keptPins, log, roots } = hub;
    const key = digestOf(canonicalJson({ owner, digest: entry.digest }));
    this.#hub = hub;
    this.#entry = entry;
    this.#judged = new JudgedLists({ keptPins, key, log: (line) => log(`${entry.name}: ${line}`) });
    this.#upstream = new Upstream({
      ...{ clock, processes, limits, client, keptLists, key, log },
      configuration: {
        name: entry.name,
        callTimeoutMs: entry.timeoutMs ?? defaultCallTimeoutMs,
        isEnabled: true,
      },
      transport: entry.transport.type,
      reach: (signal) => hub.reach({ entry: this.#entry, owner }, signal),
      questions: this.#questions,
      roots: owner === null ? null : roots(owner),
      sampling: samplingFor(hub, { server: entry.name, owner }),
      onChange,
    });
  }

  get entry(): ServerEntry {
    return this.#entry;
  }

  /** Whether nothing of it runs. */
  get isIdle(): boolean {
    return this.#upstream.isIdle;
  }

  /** Whether all that is known of it is on the disk. */
  get isKept(): boolean {
    return this.#judged.isKept;
  }

  /** Whether it goes on as it is with another entry: what is not said here counts from the next use on. */
  fits({ digest, timeoutMs, isShared }: ServerEntry): boolean {
    const now = this.#entry;
    return digest === now.digest && timeoutMs === now.timeoutMs && isShared === now.isShared;
  }

  /** Only for an entry that it fits. */
  take(entry: ServerEntry): void {
    this.#entry = entry;
  }

  /** As it is known, at once. Never rejects. */
  async describe(): Promise<OtherServer> {
    const entry = this.#entry;
    const { name, transport, state, lists, listProblem } = await this.#upstream.status();
    const { description, digest, isTrusted, isShared } = entry;
    const judged = lists === null ? null : await this.#judged.of(lists, entry);
    return { name, transport, description, digest, isTrusted, isShared, state, lists: judged, listProblem };
  }

  /** Has the lists read where nothing is known of them, and waits for at most `waitMs` after the attempt began. Never rejects. */
  async awaitFirstLists(waitMs: number, signal: AbortSignal): Promise<void> {
    const { lists } = await this.#upstream.status();
    if (lists === null) {
      await this.awaitLists(waitMs, signal);
    }
  }

  /** Connects where there is no connection, has the lists read, and waits for at most `waitMs` after the attempt began. Never rejects. */
  async awaitLists(waitMs: number, signal: AbortSignal): Promise<void> {
    const { state } = await this.#upstream.status();
    const { clock } = this.#hub;
    // Goes on when no one waits any more: the next who asks is glad of it.
    // A signal of its own: with one for all, Node warns of a leak where many servers are asked.
    const event = this.#upstream.connect(new AbortController().signal);
    const goneMs = state.type === 'connecting' ? clock.now() - state.sinceMs : 0;
    const durationMs = state.type === 'failed' ? 0 : waitMs - goneMs;
    if (durationMs > 0) {
      await waitAtMost({ event, durationMs, clock }, signal);
    }
  }

  /** Never rejects. */
  async request(request: OtherServerRequest, owner: string, signal: AbortSignal): Promise<ServerReply> {
    const { asks, deadlineAtMs, onProgress, questions } = request;
    const refusal = asks.type === 'tool' ? await this.#refuse(asks.tool, deadlineAtMs, signal) : null;
    if (refusal !== null) {
      return refusal;
    }
    const end = this.#questions.begin({ owner, questions });
    try {
      return await this.#upstream.request({ ...messageOf(asks), deadlineAtMs, onProgress }, signal);
    } finally {
      end();
    }
  }

  /** Approves tools as they are given. Resolves to null when that is kept, otherwise to why not, for a user. Never rejects. */
  async approve(tools: readonly ListedTool[]): Promise<string | null> {
    return await this.#judged.approve(tools);
  }

  loggedIn(): void {
    this.#upstream.loggedIn();
  }

  rootsChanged(): void {
    this.#upstream.rootsChanged();
  }

  /** Resolves once nothing of it is left. */
  async close(): Promise<void> {
    this.#judged.close();
    await this.#upstream.close();
  }

  /** Null for a tool that may be called. */
  async #refuse(tool: string, deadlineAtMs: number, signal: AbortSignal): Promise<ServerReply | null> {
    const entry = this.#entry;
    if (!offersTool(entry, tool)) {
      return keptBack('The settings leave this tool out.');
    }
    const { state } = await this.#upstream.status();
    // What it lists in this connection counts, and not what it listed in the last one.
    const failure = state.type === 'connected' ? null : await this.#connect(deadlineAtMs, signal);
    if (failure !== null) {
      return failure;
    }
    const { lists, listProblem } = await this.#upstream.status();
    if (lists === null) {
      return unavailable(`It has not said which tools it has. ${listProblem ?? ''}`.trim());
    }
    const { tools } = await this.#judged.of(lists, entry);
    return refusalOf(
      tools.find(({ listed }) => listed.name === tool),
      entry.name,
    );
  }

  async #connect(deadlineAtMs: number, signal: AbortSignal): Promise<ServerReply | null> {
    const { clock } = this.#hub;
    const over = new AbortController();
    const connecting = this.#upstream.connect(AbortSignal.any([signal, over.signal]));
    const end = await waitAtMost({ event: connecting, durationMs: deadlineAtMs - clock.now(), clock }, signal);
    over.abort();
    if (end === 'happened' && !signal.aborted) {
      const detail = await connecting;
      return detail === null ? null : unavailable(detail);
    }
    return { type: end === 'timed-out' ? 'timed-out' : 'cancelled', wasSent: false };
  }
}

function samplingFor(
  { sampling }: Pick<HubOptions, 'sampling'>,
  who: Pick<SamplingRequest, 'server' | 'owner'>,
): AnswerSampling | null {
  return sampling === undefined ? null : (asked, signal) => sampling.answer({ ...asked, ...who }, signal);
}

function unavailable(detail: string): ServerReply {
  return { type: 'unavailable', detail, wasSent: false };
}

function keptBack(detail: string): ServerReply {
  return { type: 'kept-back', detail };
}

function refusalOf(tool: JudgedTool | undefined, server: string): ServerReply | null {
  if (tool === undefined) {
    return keptBack('It has no tool of this name.');
  }
  const { judgement } = tool;
  return judgement.type === 'lent'
    ? null
    : keptBack(`${whyWithheld[judgement.reason]} The user has to look at it: ${approveCommand(server)}`);
}

const whyWithheld = {
  new: 'This tool is withheld: it came after the others of its server had been approved.',
  changed: 'This tool is withheld: it is not as it was approved.',
  unreadable: 'This tool is withheld: its description is too large to be compared.',
} as const;

function messageOf(asks: OtherServerRequest['asks']): Pick<UpstreamRequest, 'method' | 'params'> {
  switch (asks.type) {
    case 'tool':
      return { method: 'tools/call', params: { name: asks.tool, arguments: asks.arguments } };
    case 'prompt':
      return { method: 'prompts/get', params: { name: asks.prompt, arguments: asks.arguments } };
    case 'resource':
      return { method: 'resources/read', params: { uri: asks.uri } };
    case 'completion':
      return { method: 'completion/complete', params: completionParams(asks) };
  }
}

function completionParams({ of, name, argument, value, given }: ArgumentCompletion): UpstreamRequest['params'] {
  return {
    ref: of === 'prompt' ? { type: 'ref/prompt', name } : { type: 'ref/resource', uri: name },
    argument: { name: argument, value },
    ...(Object.keys(given).length > 0 && { context: { arguments: given } }),
  };
}

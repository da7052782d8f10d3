import type { Clock } from '@gemini-mcp/core';
import {
  escapeControls,
  isWebAddress,
  type ServerAnswer,
  type ServerQuestion,
  type ServerQuestions,
} from '@gemini-mcp/core/internal';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ClientCapabilities, ElicitRequest, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { abortAfter } from './abort-after.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import type { Sdk } from './load-sdk.ts';

/** Answers a server's requests. A server learns only of the capabilities that these answers provide. */
export type ServerRequestAnswers = {
  readonly questions: ServerQuestions;
  /** Resolves to the directories, as `file:` URLs, that the server may treat as the user's; null if it gets none. */
  readonly roots: (() => Promise<readonly string[]>) | null;
};

export type ServerRequestOptions = ServerRequestAnswers & {
  readonly name: string;
  readonly clock: Clock;
  readonly limits: Pick<ConnectionLimits, 'questionMs'>;
  /** Called when a question begins and when it ends. */
  readonly onQuestion: (isOpen: boolean) => void;
};

const maxMessageCharacters = 2_000;
const maxRoots = 100;

/** A server that asks again after each refusal must not wear its user out. */
const maxQuestionsPerMinute = 10;
const minuteMs = 60_000;

const cancelled: ServerAnswer = { action: 'cancel' };

/** The capabilities of a client with these answers. The SDK answers all other requests with -32601. */
export function capabilitiesOf({ roots }: Pick<ServerRequestAnswers, 'roots'>): ClientCapabilities {
  return {
    elicitation: { form: {}, url: {} },
    ...(roots !== null && { roots: { listChanged: true } }),
  };
}

/** Makes a client answer its server's requests. */
export function answerServerRequests(client: Client, sdk: Sdk, options: ServerRequestOptions): void {
  const { roots } = options;
  answerElicitation(client, sdk, options);
  if (roots !== null) {
    client.setRequestHandler(sdk.types.ListRootsRequestSchema, async () => ({
      roots: (await roots()).slice(0, maxRoots).map((uri) => ({ uri })),
    }));
  }
}

/** Allows one question at a time, and a few a minute. Cancels the others. */
function answerElicitation(client: Client, { types }: Sdk, options: ServerRequestOptions): void {
  let isAsking = false;
  let askedAtMs: readonly number[] = [];
  client.setRequestHandler(types.ElicitRequestSchema, async ({ params }, { signal }): Promise<ElicitResult> => {
    const question = toQuestion(params, options.name);
    const now = options.clock.now();
    askedAtMs = askedAtMs.filter((atMs) => now - atMs < minuteMs);
    if (isAsking || question === null || askedAtMs.length >= maxQuestionsPerMinute) {
      return { action: 'cancel' };
    }
    askedAtMs = [...askedAtMs, now];
    isAsking = true;
    options.onQuestion(true);
    try {
      return toElicitResult(await askInTime(question, options, signal));
    } finally {
      isAsking = false;
      options.onQuestion(false);
    }
  });
}

/** Null for an address that browsers do not open. */
function toQuestion(params: ElicitRequest['params'], server: string): ServerQuestion | null {
  const said = escapeControls(params.message.slice(0, maxMessageCharacters));
  const message = `The MCP server "${server}" asks: ${said}`;
  if (params.mode === 'url') {
    return isWebAddress(params.url) ? { type: 'url', server, message, url: params.url } : null;
  }
  return { type: 'form', server, message, schema: params.requestedSchema };
}

async function askInTime(
  question: ServerQuestion,
  { questions, clock, limits }: ServerRequestOptions,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  const late = abortAfter(clock, limits.questionMs);
  const over = AbortSignal.any([signal, late.signal]);
  try {
    const answer = await Promise.race([
      questions.ask(question, over),
      new Promise<ServerAnswer>((resolve) => over.addEventListener('abort', () => resolve(cancelled), { once: true })),
    ]);
    return over.aborted ? cancelled : answer;
  } catch {
    return cancelled;
  } finally {
    late.cancel();
  }
}

function toElicitResult(answer: ServerAnswer): ElicitResult {
  if (answer.action !== 'accept') {
    return { action: answer.action };
  }
  const values = Object.entries(answer.content).map(([name, value]) => [
    name,
    typeof value === 'object' ? [...value] : value,
  ]);
  return { action: 'accept', content: Object.fromEntries(values) };
}

export type CallOwner = {
  readonly owner: string;
  /** Forwards a question to the user; null if the user cannot be asked. */
  readonly questions: ServerQuestions | null;
};

/** `ended` cancels an open question; null before the first question. */
type CallInProgress = CallOwner & { ended: AbortController | null };

/**
 * Forwards a server's questions to its caller. A server does not say which call a question belongs to: if all calls are of one owner, the latest
 * caller that can ask its user gets the question; if several owners are calling, the question is cancelled.
 */
export class UpstreamQuestions implements ServerQuestions {
  readonly #calls = new Set<CallInProgress>();

  /** Forwards questions to this caller until the returned function is called, which also cancels an open question. */
  begin({ owner, questions }: CallOwner): () => void {
    const call: CallInProgress = { owner, questions, ended: null };
    this.#calls.add(call);
    return () => {
      this.#calls.delete(call);
      call.ended?.abort();
    };
  }

  async ask(question: ServerQuestion, signal: AbortSignal): Promise<ServerAnswer> {
    const calls = [...this.#calls];
    const isOfOne = new Set(calls.map(({ owner }) => owner)).size === 1;
    const call = calls.findLast(({ questions }) => questions !== null);
    if (!isOfOne || call === undefined || call.questions === null) {
      return cancelled;
    }
    call.ended ??= new AbortController();
    return await call.questions.ask(question, AbortSignal.any([signal, call.ended.signal]));
  }
}

import type { Clock } from '@gemini-mcp/core';
import {
  escapeControls,
  isWebAddress,
  type SamplingAnswer,
  type SamplingRequest,
  type ServerAnswer,
  type ServerQuestion,
  type ServerQuestions,
  waitAtMost,
} from '@gemini-mcp/core/internal';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ClientCapabilities, ElicitRequest, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { answerSampling } from './answer-sampling.ts';
import type { Sdk } from './load-sdk.ts';

/** Who answers what a server asks of us. A server is told only of what there is. */
export type ServerRequestAnswers = {
  /** Null where no user can be asked. */
  readonly questions: ServerQuestions | null;
  /** Addresses of directories (`file:`) that the server may take for the user's; null tells it of none. */
  readonly roots: (() => Promise<readonly string[]>) | null;
  /** Asks a model for the server; null where none is asked: then it hears -32601. */
  readonly sampling: AnswerSampling | null;
};

/** `ServerSampling.answer`, for one server of one owner. */
export type AnswerSampling = (
  asked: Pick<SamplingRequest, 'systemPrompt' | 'turns'>,
  signal: AbortSignal,
) => Promise<SamplingAnswer>;

export type ServerRequestOptions = ServerRequestAnswers & {
  readonly server: string;
  readonly clock: Clock;
  readonly questionMs: number;
  /** Hears when a question begins and when it is over. */
  readonly onQuestion: (isOpen: boolean) => void;
};

const maxMessageCharacters = 2_000;
const maxRoots = 100;

/** A server that asks again whenever it was refused is not to wear its user out. */
const maxQuestionsPerMinute = 10;
const minuteMs = 60_000;

const cancelled: ServerAnswer = { action: 'cancel' };

/** What a client with these answers can do. What is not of it is not known: -32601. */
export function capabilitiesOf({ questions, roots, sampling }: ServerRequestAnswers): ClientCapabilities {
  return {
    ...(questions !== null && { elicitation: { form: {}, url: {} } }),
    ...(roots !== null && { roots: { listChanged: true } }),
    ...(sampling !== null && { sampling: {} }),
  };
}

/**
 * Has a client answer what its server asks; one question at a time, and a few in a minute. A second one meanwhile and those beyond are
 * cancelled.
 */
export function answerServerRequests(client: Client, { types }: Sdk, options: ServerRequestOptions): void {
  const { questions, roots, sampling } = options;
  if (sampling !== null) {
    answerSampling(client, types, { ...options, sampling });
  }
  if (roots !== null) {
    client.setRequestHandler(types.ListRootsRequestSchema, async () => ({
      roots: (await roots()).slice(0, maxRoots).map((uri) => ({ uri })),
    }));
  }
  if (questions === null) {
    return;
  }
  let isAsking = false;
  let askedAtMs: readonly number[] = [];
  client.setRequestHandler(types.ElicitRequestSchema, async ({ params }, { signal }): Promise<ElicitResult> => {
    const question = questionOf(params, options.server);
    const now = options.clock.now();
    askedAtMs = askedAtMs.filter((atMs) => now - atMs < minuteMs);
    if (isAsking || question === null || askedAtMs.length >= maxQuestionsPerMinute) {
      return { action: 'cancel' };
    }
    askedAtMs = [...askedAtMs, now];
    isAsking = true;
    options.onQuestion(true);
    try {
      return resultOf(await askAtMost(question, questions, options, signal));
    } finally {
      isAsking = false;
      options.onQuestion(false);
    }
  });
}

/** Null for an address that is none. */
function questionOf(params: ElicitRequest['params'], server: string): ServerQuestion | null {
  const said = escapeControls(params.message.slice(0, maxMessageCharacters));
  const message = `The MCP server "${server}" asks: ${said}`;
  if (params.mode === 'url') {
    return isWebAddress(params.url) ? { type: 'url', server, message, url: params.url } : null;
  }
  return { type: 'form', server, message, schema: params.requestedSchema };
}

async function askAtMost(
  question: ServerQuestion,
  questions: ServerQuestions,
  { clock, questionMs }: ServerRequestOptions,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  const late = new AbortController();
  let answer: ServerAnswer = cancelled;
  const event = questions.ask(question, AbortSignal.any([signal, late.signal])).then(
    (given) => {
      answer = given;
    },
    () => undefined,
  );
  const end = await waitAtMost({ event, durationMs: questionMs, clock }, signal);
  late.abort();
  return end === 'happened' ? answer : cancelled;
}

function resultOf(answer: ServerAnswer): ElicitResult {
  if (answer.action !== 'accept') {
    return { action: answer.action };
  }
  const values = Object.entries(answer.content).map(([name, value]) => [
    name,
    typeof value === 'object' ? [...value] : value,
  ]);
  return { action: 'accept', content: Object.fromEntries(values) };
}

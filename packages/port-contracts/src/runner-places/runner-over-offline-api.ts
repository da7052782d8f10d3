import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, GeminiRunner } from '@gemini-mcp/core';
import { LeapingClock } from '../clock/leaping-clock.ts';
import type { GeminiRunnerContractOptions } from '../gemini-runner/gemini-runner.contract.ts';
import type { CountingHooks, GeminiRunnerHarness, ToolSessionHooks } from '../gemini-runner/gemini-runner-harness.ts';
import {
  describeStoredRequests,
  type OfflineGeminiApi,
  type RecordedRequest,
  recordsIn,
  startOfflineGeminiApi,
} from '../offline-api/index.ts';
import { runningTimers } from '../running-timers.ts';
import { carriedByApiRequest } from './carried-by-api-request.ts';
import { functionAnswersIn, turnsUpToMessage } from './function-answers.ts';
import { countReply, situationReply } from './situation-reply.ts';

export type RunnerPlace = {
  /** Of the API, without a version and without a slash at its end: `http://127.0.0.1:<port>`. */
  readonly baseUrl: string;
  /** A valid key for requests without their own. */
  readonly apiKey: string;
  readonly clock: Clock;
};

/** When one end closes a connection, the other follows a moment later. Without that, it never does. */
const closingMs = 2_000;

const pauseMs = 50;

/**
 * The harness of a runner over the Gemini API. Each test gets an offline API, which plays the test's situation, reports
 * arrivals, and finds requests that were left open or that Google would store: those without `store: false`. Addresses of
 * pages to read are in a part of the last turn after the message. `close` ends what the runner keeps, if anything.
 */
export function runnerOverOfflineApi<Runner extends GeminiRunner>(
  createRunner: (place: RunnerPlace) => Runner,
  close: (runner: Runner) => Promise<void> = async () => undefined,
): Pick<GeminiRunnerContractOptions, 'create'> {
  return { create: () => createHarness(createRunner, close) };
}

async function createHarness<Runner extends GeminiRunner>(
  createRunner: (place: RunnerPlace) => Runner,
  close: (runner: Runner) => Promise<void>,
): Promise<GeminiRunnerHarness> {
  const timersBefore = runningTimers();
  const api = await startOfflineGeminiApi();
  const clock = new LeapingClock();
  const runner = createRunner({ baseUrl: api.url, apiKey: api.environment().GEMINI_API_KEY, clock });
  const leftovers = async (): Promise<readonly string[]> => {
    const requests = await listOpenRequests(api);
    const timers = await countLastingTimers(() => runningTimers() - timersBefore - clock.sleeping);
    return [
      ...requests.map(({ path }) => `an open request: ${path}`),
      ...Array.from({ length: clock.sleeping }, () => 'a sleep on the clock'),
      ...Array.from({ length: timers }, () => 'a timer'),
      ...describeStoredRequests(api),
    ];
  };
  let remains: readonly string[] = [];
  return {
    runner,
    arrange: (choose) =>
      api.reply((request) => situationReply(choose(messageIn(request)), functionAnswersIn(request).length)),
    received: () => messagesTo(api).map(messageIn),
    whenReceived: (count) => api.whenRequested(count),
    carried: () => messagesTo(api).map(carriedByApiRequest),
    counting: countingBy(api),
    toolSession: toolSessionBy(api),
    now: () => clock.now(),
    pass: async (durationMs) => clock.leap(durationMs),
    leftovers,
    dispose: async () => {
      await close(runner);
      remains = await leftovers();
      await api.close();
    },
    remains: async () => remains,
  };
}

function generationsOf({ requests }: OfflineGeminiApi): readonly RecordedRequest[] {
  return requests.filter(({ method }) => method === 'generateContent' || method === 'streamGenerateContent');
}

/** Leaves out the later requests of a run, which carry results of tool calls. */
function messagesTo(api: OfflineGeminiApi): readonly RecordedRequest[] {
  return generationsOf(api).filter((request) => functionAnswersIn(request).length === 0);
}

function toolSessionBy(api: OfflineGeminiApi): ToolSessionHooks {
  return {
    offered: () => messagesTo(api).map(({ functionNames }) => functionNames),
    results: () => generationsOf(api).flatMap((request) => functionAnswersIn(request).slice(-1)),
  };
}

function countingBy(api: OfflineGeminiApi): CountingHooks {
  return {
    arrange: (situation) => api.countReply(countReply(situation)),
    carried: () => api.requests.filter(({ method }) => method === 'countTokens').map(carriedByApiRequest),
    whenReceived: (count) => api.whenCounted(count),
  };
}

function messageIn({ contents, hasUrlContext }: RecordedRequest): string {
  const message = turnsUpToMessage(contents).at(-1);
  const texts = recordsIn(message?.parts ?? []).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return hasUrlContext ? (texts[0] ?? '') : texts.join('');
}

/** Requests that are open now, and still open after connections had time to close. */
async function listOpenRequests({ requests }: OfflineGeminiApi): Promise<readonly RecordedRequest[]> {
  const open = requests.filter(({ isOver }) => !isOver);
  if (open.length > 0) {
    const waiting = new AbortController();
    const late = delay(closingMs, undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([Promise.all(open.map((request) => request.whenOver())), late]);
    waiting.abort();
    await late;
  }
  return open.filter(({ isOver }) => !isOver);
}

/** The test runner's own timers end in a moment. A timer that a run has left stays. */
async function countLastingTimers(count: () => number): Promise<number> {
  let timers = count();
  for (let waitedMs = 0; timers > 0 && waitedMs < closingMs; waitedMs += pauseMs) {
    await delay(pauseMs);
    timers = count();
  }
  return Math.max(timers, 0);
}

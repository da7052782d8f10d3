import type { CountSituation, Situation } from '../gemini-runner/gemini-runner-harness.ts';
import {
  apiError,
  blocked,
  brokenBy,
  type CountReply,
  cut,
  dailyQuota,
  empty,
  groundedIn,
  hang,
  noFinish,
  pagesTried,
  promptBlocked,
  type Reply,
  rateLimited,
  text,
  thoughtsOnly,
  toolCalls,
} from '../offline-api/index.ts';

type Answer = Extract<Situation, { type: 'answer' }>;

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** The reply of the offline API in a situation, once the model has the results of this many lists of calls. */
export function situationReply(situation: Situation, answeredRounds: number = 0): Reply {
  switch (situation.type) {
    case 'answer':
      return answer(situation);
    case 'calls':
      return callsOrAnswer(situation, answeredRounds);
    case 'hang':
      return text([...situation.chunks, { text: 'never', after: new Promise(() => undefined) }]);
    case 'empty':
      return empty();
    case 'thoughts':
      return thoughtsOnly();
    case 'blocked':
      return situation.what === 'prompt' ? promptBlocked() : blocked();
    case 'ended':
      return text(situation.chunks, { finishReason: situation.finishReason });
    case 'unfinished':
      return noFinish(situation.chunks);
    case 'cut':
      return cut(situation.chunks);
    case 'failure': {
      const { httpStatus: code, message, chunks = [], reason } = situation;
      const details = reason === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }];
      const error = apiError({ code, message, status: statusNames[code] ?? 'UNKNOWN', details });
      return chunks.length === 0 ? error : brokenBy(error, chunks);
    }
    case 'quota':
      return situation.of === 'day' ? dailyQuota() : rateLimited(situation.retryAfterSeconds);
  }
}

function callsOrAnswer({ rounds, chunks }: Extract<Situation, { type: 'calls' }>, answeredRounds: number): Reply {
  const calls = rounds[answeredRounds];
  return calls === undefined ? text(chunks) : toolCalls(calls.map(({ name, arguments: args }) => ({ name, args })));
}

/** The same for a request to count; null to count it. */
export function countReply(situation: CountSituation): CountReply | null {
  switch (situation.type) {
    case 'count':
      return null;
    case 'hang':
      return hang();
    case 'failure': {
      const { httpStatus: code, message } = situation;
      return apiError({ code, message, status: statusNames[code] ?? 'UNKNOWN' });
    }
  }
}

function answer({ chunks, release, usage, search, pages }: Answer): Reply {
  const held = chunks.map((chunk, index) => (index === 0 ? chunk : { text: chunk, after: Promise.resolve(release) }));
  const counts = usage && { promptTokens: usage.inputTokens, candidatesTokens: usage.outputTokens };
  const reply = text(held, counts === undefined ? {} : { usage: counts });
  const candidateFields = {
    ...(search !== undefined && groundedIn(chunks.join(''), search)),
    ...(pages !== undefined && pagesTried(pages)),
  };
  return { ...reply, candidateFields };
}

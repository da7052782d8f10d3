import { endOfAnswer, parseAnswerEnding, type RunEnd, readGoogleError, readRetryAfter } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { recordedErrors } from './recorded-errors.ts';
import { recordedStreams } from './recorded-streams.ts';

const nowMs = 1_790_000_000_000;

describe.each(Object.entries(recordedErrors))('the error %s', (_, { status, headers, body, failure }) => {
  const retryAfterMs = readRetryAfter(headers?.['Retry-After'] ?? null, nowMs);

  it('means what it says', () => {
    const read = readGoogleError(body, { httpStatus: status, retryAfterMs });
    expect(read).toMatchObject(failure);
    expect(read?.saidBy).toBe(body.startsWith('<') ? undefined : 'Google');
  });

  it('shows what was said to a person, and not how it was packed', () => {
    const excerpt = readGoogleError(body, { httpStatus: status })?.excerpt ?? '';
    expect(excerpt).toMatch(body.startsWith('<') ? /Bad Gateway/ : /^\w[^{}]+$/);
  });
});

/** What a runner over REST makes of a stream. */
function endOfStream(body: string): RunEnd {
  let told = { finishReason: null, blockReason: null, text: '' };
  for (const line of body.split('\r\n').filter((one) => one.startsWith('data: '))) {
    const event = JSON.parse(line.slice('data: '.length));
    const failure = readGoogleError(event);
    if (failure !== null) {
      return { type: 'failure', failure };
    }
    const [candidate] = event.candidates ?? [];
    told = {
      finishReason: candidate?.finishReason ?? told.finishReason,
      blockReason: event.promptFeedback?.blockReason ?? told.blockReason,
      text: `${told.text}${candidate?.content.parts?.[0]?.text ?? ''}`,
    };
  }
  return endOfAnswer({ ending: parseAnswerEnding(told), hasText: told.text !== '' });
}

it.each(Object.entries(recordedStreams))('the stream %s ends as it says', (_, { body, failure }) => {
  expect(endOfStream(body)).toMatchObject({ type: 'failure', failure });
});

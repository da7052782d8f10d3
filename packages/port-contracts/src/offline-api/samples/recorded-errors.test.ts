import { endOfAnswer, parseAnswerEnding, type RunEnd, readGoogleError, readRetryAfter } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { recordedErrors } from './recorded-errors.ts';
import { recordedStreams } from './recorded-streams.ts';

const nowMs = 1_790_000_000_000;

describe.each(Object.entries(recordedErrors))('the error %s', (_, { status, headers, body, failure }) => {
  const retryAfterMs = readRetryAfter(headers?.['Retry-After'] ?? null, nowMs);

  it('has its documented meaning', () => {
    const read = readGoogleError(body, { httpStatus: status, retryAfterMs });
    expect(read).toMatchObject(failure);
    expect(read?.saidBy).toBe(body.startsWith('<') ? undefined : 'Google');
  });

  it('shows the message to a person, without its packaging', () => {
    const excerpt = readGoogleError(body, { httpStatus: status })?.excerpt ?? '';
    expect(excerpt).toMatch(body.startsWith('<') ? /Bad Gateway/ : /^\w[^{}]+$/);
  });
});

/** Reads a stream as a runner over REST does. */
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

it.each(Object.entries(recordedStreams))('the stream %s ends as documented', (_, { body, failure }) => {
  expect(endOfStream(body)).toMatchObject({ type: 'failure', failure });
});

import { describe, expect, it } from 'vitest';
import type { RecordedRequest } from '../requests/recorded-request.ts';
import { buildStreamResponses, buildWholeResponse } from './answer-responses.ts';
import { blocked, empty, grounded, noFinish, promptBlocked, text, thoughtsOnly, toolCall } from './replies.ts';
import type { AnswerReply } from './reply.ts';

const REQUEST: RecordedRequest = {
  method: 'generateContent',
  service: 'gemini',
  path: '/v1beta/models/m:generateContent',
  model: 'm',
  body: {},
  bodyBytes: 2,
  contents: [
    { role: 'user', parts: [{ text: 'x'.repeat(30) }] },
    { role: 'model', parts: [{ functionCall: {} }] },
  ],
  userText: ['x'.repeat(30)],
  systemText: 'y'.repeat(10),
  functionNames: [],
  hasGoogleSearch: false,
  hasUrlContext: false,
  pageUrls: [],
  headerNames: [],
  apiKey: 'key',
  aborted: false,
  whenAborted: () => Promise.resolve(),
  isOver: false,
  whenOver: () => Promise.resolve(),
};

describe('buildStreamResponses', () => {
  it('counts up along the stream', () => {
    const responses = buildStreamResponses(text(['1234', '567']), REQUEST);
    expect(responses.map(({ usageMetadata }) => usageMetadata)).toMatchObject([
      { promptTokenCount: 10, candidatesTokenCount: 1, totalTokenCount: 11 },
      { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
    ]);
    expect(new Set(responses.map(({ responseId }) => responseId)).size).toBe(1);
  });

  it('takes given counts', () => {
    const usage = { promptTokens: 100, candidatesTokens: 20, thoughtsTokens: 3, cachedTokens: 50, toolUseTokens: 4 };
    expect(buildStreamResponses(text('a', { usage }), REQUEST)).toMatchObject([
      {
        usageMetadata: {
          promptTokenCount: 100,
          candidatesTokenCount: 20,
          thoughtsTokenCount: 3,
          cachedContentTokenCount: 50,
          toolUsePromptTokenCount: 4,
          totalTokenCount: 127,
        },
      },
    ]);
  });

  it('sends nothing for a stream without chunks, but a refused prompt in one', () => {
    expect(buildStreamResponses(noFinish(), REQUEST)).toEqual([]);
    const responses = buildStreamResponses(promptBlocked('SAFETY'), REQUEST);
    expect(responses).toMatchObject([{ promptFeedback: { blockReason: 'SAFETY' }, modelVersion: 'm' }]);
    expect(responses[0]).not.toHaveProperty('candidates');
  });
});

const search = grounded('É found', [{ title: 't', url: 'https://example.com/' }], ['q']);

describe('buildWholeResponse', () => {
  it.each<[string, AnswerReply, unknown]>([
    ['text', text(['a', 'b']), { content: { parts: [{ text: 'a' }, { text: 'b' }] }, finishReason: 'STOP' }],
    ['a cut answer', text('a', { finishReason: 'MAX_TOKENS' }), { finishReason: 'MAX_TOKENS' }],
    ['an empty answer', empty(), { content: { role: 'model' }, finishReason: 'STOP', index: 0 }],
    ['thoughts', thoughtsOnly('hm'), { content: { parts: [{ text: 'hm', thought: true }] } }],
    ['a block', blocked(), { content: { role: 'model' }, finishReason: 'SAFETY', safetyRatings: [{ blocked: true }] }],
    ['a late block', blocked('so', 'RECITATION'), { content: { parts: [{ text: 'so' }] }, finishReason: 'RECITATION' }],
    [
      'a call',
      toolCall('f', { a: 1 }, 'Well:'),
      { content: { parts: [{ text: 'Well:' }, { functionCall: { name: 'f', args: { a: 1 } } }] } },
    ],
    [
      'grounding',
      search,
      {
        groundingMetadata: {
          webSearchQueries: ['q'],
          groundingChunks: [{ web: { uri: 'https://example.com/', title: 't' } }],
          groundingSupports: [{ segment: { endIndex: 8 }, groundingChunkIndices: [0] }],
        },
      },
    ],
  ])('puts %s into one candidate', (_, reply, candidate) => {
    expect(buildWholeResponse(reply, REQUEST)).toMatchObject({ candidates: [candidate] });
  });

  it('omits a missing finish reason', () => {
    expect(JSON.stringify(buildWholeResponse(noFinish('a'), REQUEST))).not.toContain('finishReason');
  });

  it('has no candidate for a refused prompt', () => {
    expect(buildWholeResponse(promptBlocked(), REQUEST)).not.toHaveProperty('candidates');
  });
});

import type { FailureKind } from '@gemini-mcp/core';

/** A stream of `streamGenerateContent?alt=sse` without an answer, although its status is 200. */
export type RecordedStream = {
  readonly origin: string;
  /** Events as they arrive, each a line `data: …` and an empty one. */
  readonly body: string;
  readonly failure: { readonly kind: FailureKind; readonly [detail: string]: unknown };
};

const usageMetadata = { promptTokenCount: 8, totalTokenCount: 8 };
const modelVersion = 'gemini-2.5-pro';

function streamOf(...events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join('');
}

function candidate(text: string | null, finishReason?: string): object {
  const content = { role: 'model', ...(text !== null && { parts: [{ text }] }) };
  const ended = finishReason === undefined ? {} : { finishReason };
  return { candidates: [{ content, ...ended, index: 0 }], usageMetadata, modelVersion };
}

const documented = 'documentation of the Gemini API';

/** Each by a name. */
export const recordedStreams: Readonly<Record<string, RecordedStream>> = {
  'blocked-prompt': {
    origin: documented,
    body: streamOf({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata, modelVersion }),
    failure: { kind: 'blocked', what: 'prompt' },
  },
  'blocked-answer': {
    origin: documented,
    body: streamOf(candidate('Half an ans'), candidate(null, 'SAFETY')),
    failure: { kind: 'blocked', what: 'answer' },
  },
  recitation: {
    origin: documented,
    body: streamOf(candidate('It was the best of times'), candidate(null, 'RECITATION')),
    failure: { kind: 'blocked', what: 'answer' },
  },
  'malformed-call': {
    origin: documented,
    body: streamOf(candidate('Let me look.'), candidate(null, 'MALFORMED_FUNCTION_CALL')),
    failure: { kind: 'malformed-output' },
  },
  'without-an-end': {
    origin: 'documentation of the Gemini API: the last chunk carries the reason',
    body: streamOf(candidate('Half an ans')),
    failure: { kind: 'malformed-output' },
  },
  'without-text': {
    origin: 'documentation of the Gemini API: a candidate whose content has no parts',
    body: streamOf(candidate(null, 'STOP')),
    failure: { kind: 'empty-answer' },
  },
  'spent-on-thoughts': {
    origin: 'documentation of the Gemini API: the limit of the output counts thoughts',
    body: streamOf(candidate(null, 'MAX_TOKENS')),
    failure: { kind: 'empty-answer' },
  },
  'error-amid-the-stream': {
    origin: 'seen by the library @google/genai, which checks each chunk for it',
    body: streamOf(candidate('Half an ans'), {
      error: { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' },
    }),
    failure: { kind: 'overloaded' },
  },
};

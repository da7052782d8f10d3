import { plainRunSettings, type RunRequest } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { requestBody } from './request-body.ts';

const plain: RunRequest = { model: 'gemini-4-carbon', input: 'Why?', deadlineAtMs: 1 };

const requests: readonly RunRequest[] = [
  plain,
  { ...plain, settings: { ...plainRunSettings, thinking: 'high' } },
  { ...plain, answerSchema: { type: 'object' } },
];

/** `GenerationConfig` of the API: what Gemini 4 ignores, and what would cut an answer that has begun with thoughts. */
const parameters = /temperature|top_?[pk]\b|penalty|"seed"|candidate_?count|max_?output_?tokens/i;

describe('the body of a request', () => {
  it.each(requests)('leaves sampling to the model: %j', (request) => {
    expect(JSON.stringify(requestBody(request))).not.toMatch(parameters);
  });
});

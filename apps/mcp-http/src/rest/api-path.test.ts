import { expect, it } from 'vitest';
import { apiPathOf } from './api-path.ts';

it.each([
  ['geminiChat', 'gemini-chat'],
  ['googleSearch', 'google-search'],
  ['gemini_query', 'gemini-query'],
  ['chat-reply', 'chat-reply'],
  ['chat', 'chat'],
])('%s is called at %s', (name, path) => {
  expect(apiPathOf(name)).toBe(path);
});

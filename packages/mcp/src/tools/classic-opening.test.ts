import type { CallPurpose, GeminiFailure } from '@gemini-mcp/core';
import { expect, it } from 'vitest';
import { classicOpening } from './fit-result.ts';

const timeout: GeminiFailure = { kind: 'timeout' };
const missing: GeminiFailure = { kind: 'cli-missing', detail: '' };
const overloaded: GeminiFailure = { kind: 'overloaded', excerpt: '' };

it.each<[CallPurpose, GeminiFailure, string | undefined]>([
  ['query', timeout, undefined],
  ['chat', timeout, 'Error executing gemini: CLI operation timed out after 60000ms'],
  ['search', timeout, 'CLI operation timed out after 60000ms'],
  ['query', missing, undefined],
  ['chat', missing, 'Error executing gemini: Error: gemini-cli not found in PATH'],
  ['search', missing, 'Error: gemini-cli not found in PATH'],
  ['chat', overloaded, 'Error executing gemini: too much to do.'],
  ['search', overloaded, undefined],
])('a failed %s opens as users of older wrappers know it: %j', (purpose, failure, line) => {
  const failed = { failure, attempts: [], partialText: '', context: null, timeoutMs: 60_000 };
  expect(classicOpening(failed, purpose, { reasons: { overloaded: 'too much to do' } })).toBe(line);
});

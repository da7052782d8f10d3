import { createRedactor } from '@gemini-mcp/adapters-node/startup';
import { expect, it } from 'vitest';
import { sampleProgram } from '../testing/sample-program.ts';
import { secretsOf } from './secrets-of.ts';

it('the keys of the CLI and the secret settings of the program, and nothing else', () => {
  const environment = {
    GEMINI_API_KEY: 'a-key',
    GOOGLE_API_KEY: 'b-key',
    GEMINI_MCP_KNOCK: 'c-key',
    HOME: '/home/ada',
  };
  expect(secretsOf(sampleProgram, environment)).toEqual(['a-key', 'b-key', 'c-key']);
  expect(secretsOf(sampleProgram, {})).toEqual([]);
});

it('a log that is told of them shows none', () => {
  const redact = createRedactor(secretsOf(sampleProgram, { GEMINI_MCP_KNOCK: 'three-times' }));
  expect(redact('It was three-times, or dGhyZWUtdGltZXM=.')).not.toMatch(/three-times|dGhyZWUtdGlt/);
});

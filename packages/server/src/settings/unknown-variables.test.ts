import { describe, expect, it } from 'vitest';
import { sampleProgram } from '../testing/sample-program.ts';
import { findUnknownVariables } from './unknown-variables.ts';

describe('findUnknownVariables', () => {
  it('reports unknown variables that were meant for the program', () => {
    const environment = {
      GEMINI_MCP_ROOT: '/x',
      GEMINI_CLI_CHAT_TIMEOUT: '1',
      GEMINI_MCP_COLOUR_OF_THE_SKY: 'blue',
      GEMINI_MCP_DOR: '2',
      GEMINI_MCP_RUN_ID: 'of a run around this server',
      GEMINI_CLI_HOME: 'of the CLI',
    };
    expect(findUnknownVariables(environment, sampleProgram)).toEqual([
      { variable: 'GEMINI_MCP_ROOT', message: 'Unknown setting. Did you mean GEMINI_MCP_ROOTS?' },
      {
        variable: 'GEMINI_CLI_CHAT_TIMEOUT',
        message: 'Unknown setting. Did you mean GEMINI_CLI_CHAT_TIMEOUT_MS?',
      },
      { variable: 'GEMINI_MCP_COLOUR_OF_THE_SKY', message: 'Unknown setting.' },
      { variable: 'GEMINI_MCP_DOR', message: 'Unknown setting. Did you mean GEMINI_MCP_DOOR?' },
    ]);
  });

  it('is silent about settings of the program, and about those of the other server', () => {
    const environment = { GEMINI_MCP_DOOR: '1', GEMINI_MCP_KNOCK: 'x', GEMINI_MCP_TOKEN: '1', GEMINI_MCP_ROOTS: '/x' };
    expect(findUnknownVariables(environment, sampleProgram)).toEqual([]);
  });
});

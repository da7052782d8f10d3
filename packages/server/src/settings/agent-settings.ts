import type { WorkMode } from '@gemini-mcp/core';
import { type SettingTable, setting } from './setting.ts';
import * as types from './value-types.ts';

const modes: readonly ('off' | WorkMode)[] = ['off', 'plan', 'edit', 'full'];

const group = 'Work on projects';

/** What can be set of the work that `gemini_agent` hands to Gemini. Its steps and tokens hold for looking into directories as well. */
export const agentSettings = {
  /** The most that a run may do; null for what suits the way in which the server is reached. */
  agentMode: setting({
    variable: 'GEMINI_MCP_AGENT',
    flag: 'agent',
    group,
    type: types.oneOf('<mode>', modes),
    default: null,
    shownDefault: '`full` over stdio, `plan` over HTTP',
    description:
      'The most that a run of `gemini_agent` may do: nothing (`off`: the tool is not offered), read (`plan`), change files (`edit`), run commands in a sandbox too (`full`). A read-only server offers `plan` at most.',
  }),
  /** Whether callers may let commands reach the network. */
  agentNetwork: setting({
    variable: 'GEMINI_MCP_AGENT_NETWORK',
    flag: 'agent-network',
    group,
    type: types.onOrOff,
    default: false,
    description: '`1` or `0`. With `1`, a caller may let the commands of a run reach the network (`network`).',
  }),
  agentSteps: setting({
    variable: 'GEMINI_MCP_AGENT_STEPS',
    flag: 'agent-steps',
    group,
    type: types.wholeNumber('<number>', 1, 10_000),
    default: 200,
    description:
      'Steps of one run, or of one message of a conversation, from 1 to 10000: calls of tools. Then Gemini is told to end, and soon ended.',
  }),
  /** As they are estimated. */
  agentTokens: setting({
    variable: 'GEMINI_MCP_AGENT_TOKENS',
    flag: 'agent-tokens',
    group,
    type: types.wholeNumber('<number>', 10_000, 1_000_000_000),
    default: 10_000_000,
    description:
      'Tokens that Gemini may read in one run or message, as they are estimated, from 10000 to 1000000000: each step sends the conversation again, most of it from the cache of Google.',
  }),
  agentBytes: setting({
    variable: 'GEMINI_MCP_AGENT_BYTES',
    flag: 'agent-bytes',
    group,
    type: types.wholeNumber('<bytes>', 1_000, 1_000_000_000),
    default: 20_000_000,
    description: 'Bytes that one run may write with its tools for files, from 1000 to 1000000000.',
  }),
  /** Absolute. */
  toolPaths: setting({
    variable: 'GEMINI_MCP_TOOL_PATHS',
    flag: 'tool-paths',
    group,
    type: types.directories,
    default: [],
    description:
      "Existing absolute directories, separated by `:` (`;` on Windows), that commands may read and run programs from besides the system's own, such as `~/.cargo/bin` written out.",
  }),
} satisfies SettingTable;

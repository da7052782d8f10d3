import type { WorkMode } from '@gemini-mcp/core';
import { type SettingTable, setting } from './setting.ts';
import * as types from './value-types.ts';

const modes: readonly ('off' | WorkMode | 'network')[] = ['off', 'plan', 'edit', 'full', 'network'];

const group = 'Work on projects';

/** What can be set of the work that `gemini_agent` hands to Gemini. */
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
      'The most that a run of `gemini_agent` may do: nothing (`off`: the tool is not offered), read (`plan`), change files (`edit`), run commands in a sandbox too (`full`), and let them reach the network where the caller asks for it (`network`). A read-only server offers `plan` at most.',
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

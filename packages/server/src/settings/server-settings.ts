import type { RunnerPreference } from '@gemini-mcp/core';
import { agentSettings } from './agent-settings.ts';
import { fileSettings } from './file-settings.ts';
import { hubSettings } from './hub-settings.ts';
import { logLevels } from './log-level.ts';
import { profileNames, sizeOfProfiles } from './profiles.ts';
import { type SettingTable, type SettingValues, setting } from './setting.ts';
import { defaultTimeoutsMs } from './settle-timeouts.ts';
import { describedToolGroups, toolWords } from './tool-words.ts';
import * as types from './value-types.ts';

/** No call may take longer than an hour. */
const timeout = types.wholeNumber('<ms>', 1_000, 3_600_000);

const runners: readonly RunnerPreference[] = ['auto', 'api', 'warm', 'headless'];

/**
 * What can be set for every server, each setting under the name that its value has in the configuration. What is read, what
 * `--help` says and the tables in docs/configuration.md come from here.
 */
export const serverSettings = {
  ...fileSettings,
  /** Null for the chain of the runner that carries a call. */
  modelChain: setting({
    variable: 'GEMINI_MCP_MODELS',
    flag: 'models',
    group: 'Models and calls',
    type: types.modelNames,
    default: null,
    shownDefault: 'see [Models](#models)',
    description:
      'Names of models, best first, separated by commas: the chain that is tried in turn. Letters a to z, digits, `.`, `_`, `-`.',
  }),
  /** Whether calls go to the API itself or to the CLI, and how the CLI is run. */
  runner: setting({
    variable: 'GEMINI_MCP_RUNNER',
    flag: 'runner',
    group: 'Models and calls',
    type: types.oneOf('<runner>', runners),
    default: 'auto',
    description:
      '`auto`: the Gemini API itself where the server has a key or Vertex AI for it and it can carry the call, else the Gemini CLI. `api`: the API alone; no CLI is looked for. `warm`: the CLI alone, kept running between calls. `headless`: the CLI alone, a process for each call. See [The way of calls](#the-way-of-calls).',
  }),
  /** An absolute path, or the name of a program on PATH; null to look for it. */
  cli: setting({
    variable: 'GEMINI_MCP_CLI',
    flag: 'cli',
    group: 'Models and calls',
    type: types.text('<program>'),
    default: null,
    shownDefault: 'see [Finding the CLI](#finding-the-cli)',
    description:
      'The Gemini CLI: an absolute path, the name of a program on `PATH`, or `npx` to have a CLI that is not installed fetched also where the API has a login.',
  }),
  /** Whether Google may log requests that are made with a key, as its project is set up. */
  allowsGoogleLogs: setting({
    variable: 'GEMINI_MCP_ALLOW_GOOGLE_LOGS',
    flag: 'allow-google-logs',
    group: 'Models and calls',
    type: types.onOrOff,
    default: false,
    description:
      '`1` or `0`. With `1`, the project of your API key decides whether Google logs prompts and answers (projects made since 2026-10-26 keep them for 55 days, and AI Studio shows them); else each request asks Google to store nothing (`store: false`).',
  }),
  timeoutMs: setting({
    variable: 'GEMINI_CLI_TIMEOUT_MS',
    flag: 'timeout-ms',
    group: 'Models and calls',
    type: timeout,
    default: null,
    shownDefault: `\`${defaultTimeoutsMs.query}\` for gemini_query`,
    description:
      'Milliseconds for a whole call, from 1000 to 3600000: for gemini_query when the caller gives no `timeout`, and wherever one of the next two is not set.',
  }),
  chatTimeoutMs: setting({
    variable: 'GEMINI_CLI_CHAT_TIMEOUT_MS',
    flag: 'chat-timeout-ms',
    group: 'Models and calls',
    type: timeout,
    default: null,
    shownDefault: `\`GEMINI_CLI_TIMEOUT_MS\`, else \`${defaultTimeoutsMs.chat}\``,
    description: 'The same for geminiChat, chat and chat-reply.',
  }),
  searchTimeoutMs: setting({
    variable: 'GEMINI_CLI_SEARCH_TIMEOUT_MS',
    flag: 'search-timeout-ms',
    group: 'Models and calls',
    type: timeout,
    default: null,
    shownDefault: `\`GEMINI_CLI_TIMEOUT_MS\`, else \`${defaultTimeoutsMs.search}\``,
    description: 'The same for googleSearch.',
  }),
  profile: setting({
    variable: 'GEMINI_MCP_PROFILE',
    flag: 'profile',
    group: 'Size',
    type: types.oneOf('<profile>', profileNames),
    default: 'standard',
    description:
      'How much the server takes on: `small` for a machine with little memory, `standard`, `shared` for a server of many people. See [Profiles](#profiles).',
  }),
  /** Calls to Gemini at one time. */
  maxRunning: setting({
    variable: 'GEMINI_MCP_MAX_RUNNING',
    flag: 'max-running',
    group: 'Size',
    type: types.wholeNumber('<number>', 1, 64),
    default: null,
    shownDefault: sizeOfProfiles(({ maxRunning }) => maxRunning),
    description:
      'Calls to Gemini at one time, from 1 to 64. Each that has a process of its own takes about 250 MB. Eight times as many calls wait; any more are refused at once as `busy`.',
  }),
  /** Names of the tools to offer, and of groups of them; null for all. */
  tools: setting({
    variable: 'GEMINI_MCP_TOOLS',
    flag: 'tools',
    group: 'Tools',
    type: types.namesOutOf('<tools>', toolWords),
    default: null,
    shownDefault: 'all',
    description: `The tools to offer, separated by commas. A word names one tool or a group of them: ${describedToolGroups}.`,
  }),
  /** Whether everything that could change something is left out. */
  readOnly: setting({
    variable: 'GEMINI_MCP_READ_ONLY',
    flag: 'read-only',
    group: 'Tools',
    type: types.onOrOff,
    default: false,
    description: '`1` or `0`. With `1`, whatever could change anything is left out, `yolo` with it.',
  }),
  /** Whether callers may let Gemini act unasked; never when the server is read-only. */
  allowYolo: setting({
    variable: 'GEMINI_MCP_ALLOW_YOLO',
    flag: 'allow-yolo',
    group: 'Tools',
    type: types.onOrOff,
    default: false,
    description:
      '`1` or `0`. With `1`, a caller may let Gemini run commands and change files without being asked (`yolo`).',
  }),
  ...agentSettings,
  ...hubSettings,
  /** How long a conversation is kept after its last turn: 0 keeps it in memory only, infinity for ever. */
  sessionRetentionDays: setting({
    variable: 'GEMINI_MCP_SESSION_RETENTION_DAYS',
    flag: 'session-retention-days',
    group: 'The process',
    type: types.retentionDays,
    default: 30,
    description:
      'Days for which a conversation is kept after its last turn. `0` keeps conversations in memory only, `forever` never deletes one.',
  }),
  /** Private directory for what has to outlive a call. */
  stateDirectory: setting({
    variable: 'GEMINI_MCP_STATE_DIR',
    flag: 'state-dir',
    group: 'The process',
    type: types.absolutePath('<directory>'),
    default: null,
    shownDefault: 'see [The state directory](#the-state-directory)',
    description: 'An absolute directory, made when it is missing.',
  }),
  logLevel: setting({
    variable: 'GEMINI_MCP_LOG_LEVEL',
    flag: 'log-level',
    group: 'The process',
    type: types.oneOf('<level>', logLevels),
    default: 'info',
    description: `What is logged: ${logLevels.map((level) => `\`${level}\``).join(', ')}. Texts of prompts and answers are in the log at \`trace\` only.`,
  }),
} satisfies SettingTable;

/** What the settings of every server are read as. */
export type ServerSettingValues = SettingValues<typeof serverSettings>;

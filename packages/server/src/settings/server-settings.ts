import { delimiter } from 'node:path';
import { defaultModelChain } from '@gemini-mcp/core';
import { type LogLevel, logLevels } from './log-level.ts';
import type { Setting } from './setting.ts';
import * as schemas from './setting-schemas.ts';
import { describedToolGroups, toolWords } from './tool-words.ts';
import { type WarmSettingValues, warmSettings } from './warm-settings.ts';

/** What each setting is read as. */
type SettingValues = WarmSettingValues & {
  readonly workingDirectory: string;
  readonly roots: readonly string[];
  readonly trustedDirectories: readonly string[];
  readonly allowSensitive: boolean;
  readonly models: readonly string[];
  readonly cli: string;
  readonly timeoutMs: number;
  readonly chatTimeoutMs: number;
  readonly searchTimeoutMs: number;
  readonly maxTimeoutMs: number;
  readonly maxRunning: number;
  readonly maxQueued: number;
  readonly keepControls: boolean;
  readonly tools: readonly string[];
  readonly readOnly: boolean;
  readonly allowYolo: boolean;
  readonly sessionRetentionDays: number;
  readonly stateDirectory: string;
  readonly logLevel: LogLevel;
};

export type SettingTable = { readonly [Name in keyof SettingValues]: Setting<SettingValues[Name]> };

/** No call may take longer than an hour. */
const timeout = (): ReturnType<typeof schemas.wholeNumber> => schemas.wholeNumber(1_000, 3_600_000);

const directoryList = { placeholder: '<directories>', separator: delimiter, schema: schemas.directories } as const;

const onOrOff = { placeholder: null, separator: null, shownDefault: '`0`', schema: schemas.onOrOff } as const;

/** What can be set for every server. What is read, what `--help` says and the tables in docs/configuration.md come from here. */
export const serverSettings: SettingTable = {
  workingDirectory: {
    variable: 'GEMINI_CLI_WORKING_DIR',
    flag: 'working-dir',
    group: 'Files',
    placeholder: '<directory>',
    separator: null,
    description:
      'An existing absolute directory. Relative names start here; it is an allowed root. A current directory that is `/` or your home is none.',
    shownDefault: "the server's current directory",
    schema: schemas.directory,
  },
  roots: {
    ...directoryList,
    variable: 'GEMINI_MCP_ROOTS',
    flag: 'roots',
    group: 'Files',
    description:
      'Existing absolute directories below which files may be read as well, separated by `:` (`;` on Windows). A link among them is followed when the server starts, and not again.',
    shownDefault: 'none',
  },
  trustedDirectories: {
    ...directoryList,
    variable: 'GEMINI_MCP_TRUSTED_DIRS',
    flag: 'trusted-dirs',
    group: 'Files',
    description:
      'Existing absolute directories, separated likewise, in which the CLI itself runs when a call names one: its `GEMINI.md` and `.gemini/settings.json` take effect then, and hooks that those settings enable.',
    shownDefault: 'none',
  },
  allowSensitive: {
    ...onOrOff,
    variable: 'GEMINI_MCP_ALLOW_SENSITIVE',
    flag: 'allow-sensitive',
    group: 'Files',
    description:
      '`1` or `0`. With `1`, `files` may name files that look like secrets; patterns and directories never send them.',
  },
  models: {
    variable: 'GEMINI_MCP_MODELS',
    flag: 'models',
    group: 'Models and calls',
    placeholder: '<models>',
    separator: ',',
    description:
      'Names of models, best first, separated by commas: the chain that is tried in turn. Letters a to z, digits, `.`, `_`, `-`.',
    shownDefault: `\`${defaultModelChain.join(',')}\``,
    schema: schemas.modelNames,
  },
  cli: {
    variable: 'GEMINI_MCP_CLI',
    flag: 'cli',
    group: 'Models and calls',
    placeholder: '<program>',
    separator: null,
    description: 'The Gemini CLI: an absolute path, or the name of a program on `PATH`.',
    shownDefault: 'see [Finding the CLI](#finding-the-cli)',
    schema: schemas.text,
  },
  timeoutMs: {
    variable: 'GEMINI_CLI_TIMEOUT_MS',
    flag: 'timeout-ms',
    group: 'Models and calls',
    placeholder: '<ms>',
    separator: null,
    description:
      'Milliseconds for a whole call, from 1000 to 3600000: for gemini_query when the caller gives no `timeout`, and wherever one of the next two is not set.',
    shownDefault: '`120000` for gemini_query',
    schema: timeout,
  },
  chatTimeoutMs: {
    variable: 'GEMINI_CLI_CHAT_TIMEOUT_MS',
    flag: 'chat-timeout-ms',
    group: 'Models and calls',
    placeholder: '<ms>',
    separator: null,
    description: 'The same for geminiChat, chat and chat-reply.',
    shownDefault: '`GEMINI_CLI_TIMEOUT_MS`, else `600000`',
    schema: timeout,
  },
  searchTimeoutMs: {
    variable: 'GEMINI_CLI_SEARCH_TIMEOUT_MS',
    flag: 'search-timeout-ms',
    group: 'Models and calls',
    placeholder: '<ms>',
    separator: null,
    description: 'The same for googleSearch.',
    shownDefault: '`GEMINI_CLI_TIMEOUT_MS`, else `60000`',
    schema: timeout,
  },
  maxTimeoutMs: {
    variable: 'GEMINI_CLI_MAX_TIMEOUT_MS',
    flag: 'max-timeout-ms',
    group: 'Models and calls',
    placeholder: '<ms>',
    separator: null,
    description:
      'The most that a caller may give as `timeout`, in the foreground and in the background: a call keeps its place for as long. Milliseconds, from 1000 to 3600000.',
    shownDefault: '`3600000`',
    schema: timeout,
  },
  maxRunning: {
    variable: 'GEMINI_MCP_MAX_RUNNING',
    flag: 'max-running',
    group: 'Models and calls',
    placeholder: '<number>',
    separator: null,
    description: 'Calls to Gemini at one time, from 1 to 64. Each that has a process of its own takes about 250 MB.',
    shownDefault: '`4`',
    schema: () => schemas.wholeNumber(1, 64),
  },
  maxQueued: {
    variable: 'GEMINI_MCP_MAX_QUEUED',
    flag: 'max-queued',
    group: 'Models and calls',
    placeholder: '<number>',
    separator: null,
    description: 'Calls that wait for one of those places, from 0 to 10000. Any more are refused at once as `busy`.',
    shownDefault: '`32`',
    schema: () => schemas.wholeNumber(0, 10_000),
  },
  ...warmSettings,
  keepControls: {
    ...onOrOff,
    variable: 'GEMINI_MCP_KEEP_CONTROL_CHARACTERS',
    flag: 'keep-control-characters',
    group: 'Models and calls',
    description:
      '`1` or `0`. With `1`, answers keep escape sequences and characters that cannot be seen; else these are shown as `\\u{1b}`.',
  },
  tools: {
    variable: 'GEMINI_MCP_TOOLS',
    flag: 'tools',
    group: 'Tools',
    placeholder: '<tools>',
    separator: ',',
    description: `The tools to offer, separated by commas. A word names one tool or a group of them: ${describedToolGroups}.`,
    shownDefault: 'all',
    schema: () => schemas.namesOutOf(toolWords),
  },
  readOnly: {
    ...onOrOff,
    variable: 'GEMINI_MCP_READ_ONLY',
    flag: 'read-only',
    group: 'Tools',
    description: '`1` or `0`. With `1`, whatever could change anything is left out, `yolo` with it.',
  },
  allowYolo: {
    ...onOrOff,
    variable: 'GEMINI_MCP_ALLOW_YOLO',
    flag: 'allow-yolo',
    group: 'Tools',
    description:
      '`1` or `0`. With `1`, a caller may let Gemini run commands and change files without being asked (`yolo`).',
  },
  sessionRetentionDays: {
    variable: 'GEMINI_MCP_SESSION_RETENTION_DAYS',
    flag: 'session-retention-days',
    group: 'The process',
    placeholder: '<days>',
    separator: null,
    description:
      'Days for which a conversation is kept after its last turn. `0` keeps conversations in memory only, `forever` never deletes one.',
    shownDefault: '`30`',
    schema: schemas.retentionDays,
  },
  stateDirectory: {
    variable: 'GEMINI_MCP_STATE_DIR',
    flag: 'state-dir',
    group: 'The process',
    placeholder: '<directory>',
    separator: null,
    description: 'An absolute directory, made when it is missing.',
    shownDefault: 'see [The state directory](#the-state-directory)',
    schema: schemas.absolutePath,
  },
  logLevel: {
    variable: 'GEMINI_MCP_LOG_LEVEL',
    flag: 'log-level',
    group: 'The process',
    placeholder: '<level>',
    separator: null,
    description: `What is logged: ${logLevels.map((level) => `\`${level}\``).join(', ')}. Texts of prompts and answers stand in the log at \`trace\` only.`,
    shownDefault: '`info`',
    schema: () => schemas.oneOf(logLevels),
  },
};

/** In the order in which they are shown. */
export const settingList: readonly Setting<unknown>[] = Object.values(serverSettings);

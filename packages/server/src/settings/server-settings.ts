import type { RunnerPreference, WorkMode } from '@gemini-mcp/core';
import { toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import { profileNames, sizeOfProfiles } from './profiles.ts';
import { type Setting, type SettingTable, type SettingValues, setting } from './setting.ts';
import * as types from './value-types.ts';

const modes: readonly ('off' | WorkMode | 'network')[] = ['off', 'plan', 'edit', 'full', 'network'];

const forms: readonly ('auto' | 'listed' | 'searched')[] = ['auto', 'listed', 'searched'];

const credentialPlaces: readonly ('file' | 'keychain')[] = ['file', 'keychain'];

/** No call may take longer than an hour. */
const timeout = types.wholeNumber('<ms>', 1_000, 3_600_000);

const runners: readonly RunnerPreference[] = ['auto', 'api', 'warm', 'headless'];

const groups: readonly string[] = [...new Set(toolDeclarations.map(({ group }) => group))];

/** By which an operator chooses tools: the groups, then the names of single tools. */
export const toolWords: readonly string[] = [...groups, ...toolDeclarations.map(({ name }) => name)];

/** Each group with its tools, in Markdown. */
const describedToolGroups: string = groups.map(describeGroup).join(', ');

function describeGroup(group: string): string {
  const tools = toolDeclarations.filter((tool) => tool.group === group);
  return `\`${group}\` (${tools.map(({ name }) => `\`${name}\``).join(', ')})`;
}

/** From the most to be said to nothing. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

/** How long a call may take where neither the caller nor the operator says so. */
export const defaultTimeoutsMs = { query: 120_000, chat: 600_000, search: 60_000 } as const;

/**
 * What can be set for every server, each setting under the name that its value has in the configuration. What is read, what
 * `--help` says and the tables in docs/configuration.md come from here.
 */
export const serverSettings = {
  /** Relative paths of callers start here; an allowed root, unless `noRootBecause` says why there is none. */
  workingDirectory: setting({
    variable: 'GEMINI_CLI_WORKING_DIR',
    flag: 'working-dir',
    group: 'Files',
    type: types.directory,
    default: null,
    shownDefault: "the server's current directory",
    description:
      'An existing absolute directory. Relative names start here; it is an allowed root. A current directory that is `/` or your home does not count.',
  }),
  /** Further directories that may be read. */
  roots: setting({
    variable: 'GEMINI_MCP_ROOTS',
    flag: 'roots',
    group: 'Files',
    type: types.directories,
    default: [],
    description:
      'Existing absolute directories below which files may be read as well, separated by `:` (`;` on Windows). A link is followed once, when the server starts.',
  }),
  /** Directories in which the CLI may run as in a project of the user's own: it starts programs of theirs there. */
  trustedDirectories: setting({
    variable: 'GEMINI_MCP_TRUSTED_DIRS',
    flag: 'trusted-dirs',
    group: 'Files',
    type: types.directories,
    default: [],
    description:
      'Existing absolute directories, separated likewise, into which Gemini may look as well. In one that a call with `yolo` names the CLI itself runs: its `GEMINI.md` and `.gemini/settings.json` take effect then, and hooks that those settings enable.',
  }),
  /** Whether files that look like secrets may be sent when a caller names them. */
  allowSensitive: setting({
    variable: 'GEMINI_MCP_ALLOW_SENSITIVE',
    flag: 'allow-sensitive',
    group: 'Files',
    type: types.onOrOff,
    default: false,
    description:
      '`1` or `0`. With `1`, `files` may name files that look like secrets; patterns and directories never send them.',
  }),
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
      '`auto`: the Gemini API if the server has a key or Vertex AI for it and the API can carry the call, else the Gemini CLI. `api`: the API alone; no CLI is looked for. `warm`: the CLI alone, kept running between calls. `headless`: the CLI alone, a process for each call. See [API or CLI](#api-or-cli).',
  }),
  /** An absolute path, or the name of a program on PATH; null to look for it. */
  cli: setting({
    variable: 'GEMINI_MCP_CLI',
    flag: 'cli',
    group: 'Models and calls',
    type: types.text('<program>'),
    default: null,
    shownDefault: 'see [Finding the CLI](gemini-cli.md#finding-the-cli)',
    description:
      'The Gemini CLI: an absolute path, the name of a program on `PATH`, or `npx` to fetch a CLI that is not installed even if the API has a login.',
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
      'Milliseconds for a whole call, from 1000 to 3600000: for gemini_query when the caller gives no `timeout`, and for the next two if they are not set.',
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
    description: '`1` or `0`. With `1`, the server offers nothing that changes anything, and no `yolo`.',
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
  /** The most that a run may do; null for what suits the way in which the server is reached. */
  agentMode: setting({
    variable: 'GEMINI_MCP_AGENT',
    flag: 'agent',
    group: 'Work on projects',
    type: types.oneOf('<mode>', modes),
    default: null,
    shownDefault: '`full` over stdio, `plan` over HTTP',
    description:
      'The most that a run of `gemini_agent` may do: nothing (`off`: the tool is not offered), read (`plan`), change files (`edit`), run commands in a sandbox too (`full`), and give them network if the caller asks for it (`network`). A read-only server offers `plan` at most.',
  }),
  /** Absolute. */
  toolPaths: setting({
    variable: 'GEMINI_MCP_TOOL_PATHS',
    flag: 'tool-paths',
    group: 'Work on projects',
    type: types.directories,
    default: [],
    description:
      "Existing absolute directories, separated by `:` (`;` on Windows), that commands may read and run programs from besides the system's own, such as `~/.cargo/bin` written out.",
  }),
  /** An absolute path, or `off`; null for what suits the way in which the server is reached. */
  serversFile: setting({
    variable: 'GEMINI_MCP_SERVERS_FILE',
    flag: 'servers-file',
    group: 'Other MCP servers',
    type: types.absolutePathOr('<file>', 'off'),
    default: null,
    shownDefault: "the user's `gemini-mcp-server/settings.json` over stdio, none over HTTP",
    description:
      'The absolute path of the settings file with `mcpServers`: the other MCP servers of the user. `off`: neither those nor those of a project. Those of the administrator always count.',
  }),
  /** Names of servers and of tools; `all` among them stands for every one. */
  offeredServers: setting({
    variable: 'GEMINI_MCP_OFFER_SERVERS',
    flag: 'offer-servers',
    group: 'Other MCP servers',
    type: types.namesOrNone('<servers>'),
    default: [],
    shownDefault: '`none`',
    description:
      'Which of the other MCP servers are offered on to clients: `none`, `all`, or names of servers and of tools (`memory,github__create_issue`), separated by commas. See [For your clients](upstreams-tools.md#for-your-clients).',
  }),
  offeredAs: setting({
    variable: 'GEMINI_MCP_OFFER_AS',
    flag: 'offer-as',
    group: 'Other MCP servers',
    type: types.oneOf('<form>', forms),
    default: 'auto',
    description:
      '`listed`: each tool of an offered server is listed. `searched`: clients find tools with `find_tools` and call them with `call_tool`. `auto`: listed up to 24 tools.',
  }),
  /** Where the logins to other servers are safe from who reads the user's files. */
  credentials: setting({
    variable: 'GEMINI_MCP_CREDENTIALS',
    flag: 'credentials',
    group: 'Other MCP servers',
    type: types.oneOf('<place>', credentialPlaces),
    default: 'file',
    description:
      "How logins to other MCP servers are kept. `file`: in files that only you can read. `keychain`: these files are sealed with a key of the system's keychain, and no login is kept without it. See [What becomes of a login](upstreams-logins.md#what-becomes-of-a-login).",
  }),
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
    description: 'An absolute directory. The server creates it if it is missing.',
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

/** The settings of every server, in the order in which they are shown. */
export const serverSettingList: readonly Setting[] = Object.values(serverSettings);

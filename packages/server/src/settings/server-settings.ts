import type { RunnerPreference, WorkMode } from '@gemini-mcp/core';
import { toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import { profileNames, sizeOfProfiles } from './profiles.ts';
import { type Setting, type SettingTable, type SettingValues, setting } from './setting.ts';
import * as types from './value-types.ts';

const modes: readonly ('off' | WorkMode | 'network')[] = ['off', 'plan', 'edit', 'full', 'network'];

const forms: readonly ('auto' | 'listed' | 'searched')[] = ['auto', 'listed', 'searched'];

const auditForms: readonly ('off' | 'digest' | 'full')[] = ['off', 'digest', 'full'];

const credentialPlaces: readonly ('file' | 'keychain')[] = ['file', 'keychain'];

/** One hour, the longest timeout of a call. */
const timeout = types.wholeNumber('<ms>', 1_000, 3_600_000);

const runners: readonly RunnerPreference[] = ['auto', 'api', 'warm', 'headless'];

const groups: readonly string[] = [...new Set(toolDeclarations.map(({ group }) => group))];

/** The names an operator selects tools by: groups first, then single tools. */
export const toolWords: readonly string[] = [...groups, ...toolDeclarations.map(({ name }) => name)];

/** The groups with their tools, in Markdown. */
const describedToolGroups: string = groups.map(describeGroup).join(', ');

function describeGroup(group: string): string {
  const tools = toolDeclarations.filter((tool) => tool.group === group);
  return `\`${group}\` (${tools.map(({ name }) => `\`${name}\``).join(', ')})`;
}

/** From the most verbose to silent. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

/** The timeouts of calls if neither the caller nor the operator sets one. */
export const defaultTimeoutsMs = { query: 120_000, chat: 600_000, search: 60_000 } as const;

/**
 * The settings of every server, by their field names in the configuration. Parsing, `--help` and the tables in
 * docs/configuration.md all come from here.
 */
export const serverSettings = {
  /** Base of callers' relative paths, and an allowed root unless `noRootBecause` is set. */
  workingDirectory: setting({
    variable: 'GEMINI_CLI_WORKING_DIR',
    flag: 'working-dir',
    group: 'Files',
    type: types.directory,
    default: null,
    shownDefault: "the server's current directory",
    description:
      'An existing absolute directory. Relative names start here, and it is an allowed root. If not set, a current directory of `/`, your home, or an installed package, plugin or extension is not a root.',
  }),
  /** Further directories that may be read. */
  roots: setting({
    variable: 'GEMINI_MCP_ROOTS',
    flag: 'roots',
    group: 'Files',
    type: types.directories,
    default: [],
    description:
      'Further existing absolute directories whose files may be read, separated by `:` (`;` on Windows). A link is followed once, when the server starts.',
  }),
  /** Readable if there is no project: neither the start directory nor a client names one. */
  projects: setting({
    variable: 'GEMINI_MCP_PROJECTS',
    flag: 'projects',
    group: 'Files',
    type: types.directories,
    default: [],
    description:
      'Existing absolute directories, separated likewise, that hold your projects. Over stdio, files below them may be named by absolute paths if the server was started outside of a project and the client names no root. See [A client without a project](files.md#a-client-without-a-project).',
  }),
  /** Directories that the CLI treats as the user's own projects: it may start programs from their settings. */
  trustedDirectories: setting({
    variable: 'GEMINI_MCP_TRUSTED_DIRS',
    flag: 'trusted-dirs',
    group: 'Files',
    type: types.directories,
    default: [],
    description:
      'Further existing absolute directories, separated likewise, that Gemini may read. If a call with `yolo` names one, the CLI runs in it: its `GEMINI.md` and `.gemini/settings.json` take effect then, including hooks that those settings enable.',
  }),
  /** Whether files that look like secrets may be sent if a caller names them. */
  allowSensitive: setting({
    variable: 'GEMINI_MCP_ALLOW_SENSITIVE',
    flag: 'allow-sensitive',
    group: 'Files',
    type: types.onOrOff,
    default: false,
    description:
      '`1` or `0`. With `1`, `files` may name files that look like secrets; patterns and directories never send them.',
  }),
  /** Null for the default chain of the runner. */
  modelChain: setting({
    variable: 'GEMINI_MCP_MODELS',
    flag: 'models',
    group: 'Models and calls',
    type: types.modelNames,
    default: null,
    shownDefault: 'see [Models](#models)',
    description:
      'Model names, best first, separated by commas: the fallback chain. Letters a to z, digits, `.`, `_`, `-`.',
  }),
  /** Whether calls use the API or the CLI, and how the CLI runs. */
  runner: setting({
    variable: 'GEMINI_MCP_RUNNER',
    flag: 'runner',
    group: 'Models and calls',
    type: types.choiceOf('<runner>', runners),
    default: 'auto',
    description:
      '`auto`: the Gemini API if the server has a key or Vertex AI for it and the API supports the call, else the Gemini CLI. `api`: only the API, without a search for the CLI. `warm`: only the CLI, kept running between calls. `headless`: only the CLI, a new process for each call. See [API or CLI](#api-or-cli).',
  }),
  /** An absolute path, or the name of a program on PATH; null to search for it. */
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
  /** Whether Google may log requests made with a key, as its project is set up. */
  allowsGoogleLogs: setting({
    variable: 'GEMINI_MCP_ALLOW_GOOGLE_LOGS',
    flag: 'allow-google-logs',
    group: 'Models and calls',
    type: types.onOrOff,
    default: false,
    description:
      '`1` or `0`. With `1`, the project of your API key decides whether Google logs prompts and answers (projects created since 2026-10-26 keep them for 55 days, and AI Studio shows them). With `0`, each request asks Google to store nothing (`store: false`).',
  }),
  timeoutMs: setting({
    variable: 'GEMINI_CLI_TIMEOUT_MS',
    flag: 'timeout-ms',
    group: 'Models and calls',
    type: timeout,
    default: null,
    shownDefault: `\`${defaultTimeoutsMs.query}\` for gemini_query`,
    description:
      'Milliseconds for a whole call, from 1000 to 3600000: for gemini_query if the caller gives no `timeout`, and for the next two settings if they are not set.',
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
  /** Milliseconds; 0 for clients that wait as long as a call takes, null to go by the client's name. */
  callLimitMs: setting({
    variable: 'GEMINI_MCP_CALL_LIMIT_SECONDS',
    flag: 'call-limit-seconds',
    group: 'Models and calls',
    type: types.seconds(0, 86_400),
    default: null,
    shownDefault: 'by the client',
    description:
      'How long your client waits for a call, in seconds from 0 to 86400. A call that takes longer becomes a job shortly before. `0`: calls never become jobs by themselves. See [Long calls](long-calls.md).',
  }),
  /** Bytes; null to go by the client's name. */
  pageBytes: setting({
    variable: 'GEMINI_MCP_PAGE_BYTES',
    flag: 'page-bytes',
    group: 'Size',
    type: types.wholeNumber('<bytes>', 4_000, 40_000),
    default: null,
    shownDefault: 'by the client',
    description:
      'Bytes of text in one result, from 4000 to 40000: a longer answer comes in pages. By default as much as the client shows its model. See [Long answers](answers.md#long-answers).',
  }),
  profile: setting({
    variable: 'GEMINI_MCP_PROFILE',
    flag: 'profile',
    group: 'Size',
    type: types.choiceOf('<profile>', profileNames),
    default: 'standard',
    description:
      'The size of the server: `small` for a machine with little memory, `standard`, `shared` for a server with many users. See [Profiles](#profiles).',
  }),
  /** Concurrent calls to Gemini. */
  maxRunning: setting({
    variable: 'GEMINI_MCP_MAX_RUNNING',
    flag: 'max-running',
    group: 'Size',
    type: types.wholeNumber('<number>', 1, 64),
    default: null,
    shownDefault: sizeOfProfiles(({ maxRunning }) => maxRunning),
    description:
      'Concurrent calls to Gemini, from 1 to 64. A call with its own process takes about 250 MB. Eight times as many calls can wait; further calls are refused at once as `busy`.',
  }),
  /** Names of tools and groups to offer; null for all. */
  tools: setting({
    variable: 'GEMINI_MCP_TOOLS',
    flag: 'tools',
    group: 'Tools',
    type: types.namesOutOf('<tools>', toolWords),
    default: null,
    shownDefault: 'all',
    description: `The tools to offer, separated by commas. Each name is a tool or a group: ${describedToolGroups}.`,
  }),
  /** Whether to leave out everything that could make changes. */
  readOnly: setting({
    variable: 'GEMINI_MCP_READ_ONLY',
    flag: 'read-only',
    group: 'Tools',
    type: types.onOrOff,
    default: false,
    description: '`1` or `0`. With `1`, the server offers nothing that changes anything, and no `yolo`.',
  }),
  /** Whether callers may let Gemini act without approval. Always false if the server is read-only. */
  allowYolo: setting({
    variable: 'GEMINI_MCP_ALLOW_YOLO',
    flag: 'allow-yolo',
    group: 'Tools',
    type: types.onOrOff,
    default: false,
    description:
      '`1` or `0`. With `1`, a caller may let Gemini run commands and change files without being asked (`yolo`).',
  }),
  /** The most that a run may do; null for the default of the transport. */
  agentMode: setting({
    variable: 'GEMINI_MCP_AGENT',
    flag: 'agent',
    group: 'Work on projects',
    type: types.choiceOf('<mode>', modes),
    default: null,
    shownDefault: '`full` over stdio, `plan` over HTTP',
    description:
      'The most that a run of `gemini_agent` may do: nothing (`off`: the tool is not offered), read (`plan`), change files (`edit`), also run commands in a sandbox (`full`), and give them network access on request (`network`). A read-only server offers `plan` at most.',
  }),
  /** Absolute paths. */
  toolPaths: setting({
    variable: 'GEMINI_MCP_TOOL_PATHS',
    flag: 'tool-paths',
    group: 'Work on projects',
    type: types.directories,
    default: [],
    description:
      "Existing absolute directories, separated by `:` (`;` on Windows), that commands may read and run programs from besides the system's own, such as `/home/me/.cargo/bin`.",
  }),
  /** An absolute path, or `off`; null for the default of the transport. */
  serversFile: setting({
    variable: 'GEMINI_MCP_SERVERS_FILE',
    flag: 'servers-file',
    group: 'Other MCP servers',
    type: types.absolutePathOr('<file>', 'off'),
    default: null,
    shownDefault: "the user's `gemini-mcp-server/settings.json` over stdio, none over HTTP",
    description:
      'The absolute path of the settings file with `mcpServers`: the other MCP servers of the user. `off`: no servers of the user or of a project. Those of the administrator always apply.',
  }),
  /** Names of servers and tools; `all` stands for every server. */
  offeredServers: setting({
    variable: 'GEMINI_MCP_OFFER_SERVERS',
    flag: 'offer-servers',
    group: 'Other MCP servers',
    type: types.namesOrNone('<servers>'),
    default: [],
    shownDefault: '`none`',
    description:
      'The other MCP servers that clients may use: `none`, `all`, or names of servers and tools (`memory,github__create_issue`), separated by commas. See [For your clients](upstreams-tools.md#for-your-clients).',
  }),
  offeredAs: setting({
    variable: 'GEMINI_MCP_OFFER_AS',
    flag: 'offer-as',
    group: 'Other MCP servers',
    type: types.choiceOf('<form>', forms),
    default: 'auto',
    description:
      '`listed`: each tool of an offered server is listed. `searched`: clients find tools with `find_tools` and call them with `call_tool`. `auto`: `listed` up to 24 tools.',
  }),
  /** How logins to upstream servers are protected from readers of the user's files. */
  credentials: setting({
    variable: 'GEMINI_MCP_CREDENTIALS',
    flag: 'credentials',
    group: 'Other MCP servers',
    type: types.choiceOf('<place>', credentialPlaces),
    default: 'file',
    description:
      "How logins to other MCP servers are stored. `file`: in files that only you can read. `keychain`: these files are encrypted with a key from the system's keychain; without the keychain, logins are not stored. See [What becomes of a login](upstreams-logins.md#what-becomes-of-a-login).",
  }),
  /** Days to keep a conversation after its last turn. 0 keeps it in memory only, infinity keeps it forever. */
  sessionRetentionDays: setting({
    variable: 'GEMINI_MCP_SESSION_RETENTION_DAYS',
    flag: 'session-retention-days',
    group: 'The process',
    type: types.retentionDays,
    default: 30,
    description:
      'Days to keep a conversation after its last turn. `0` keeps conversations and results of jobs in memory only; `forever` never deletes them.',
  }),
  /** Whether calls are kept in an audit log, and whether it holds their arguments. */
  audit: setting({
    variable: 'GEMINI_MCP_AUDIT',
    flag: 'audit',
    group: 'The process',
    type: types.choiceOf('<how>', auditForms),
    default: 'off',
    description:
      'Whether each tool call is kept in an [audit log](audit.md). `digest`: with SHA-256 of its arguments; `full`: with its arguments, without secrets.',
  }),
  /** Days to keep the audit log; infinity keeps it forever. */
  auditRetentionDays: setting({
    variable: 'GEMINI_MCP_AUDIT_RETENTION_DAYS',
    flag: 'audit-retention-days',
    group: 'The process',
    type: types.retentionDays,
    default: 365,
    description: 'Days to keep the audit log. `0` keeps the current day; `forever` never deletes it.',
  }),
  /** Private directory for data that outlives a call. */
  stateDirectory: setting({
    variable: 'GEMINI_MCP_STATE_DIR',
    flag: 'state-dir',
    group: 'The process',
    type: types.absolutePath('<directory>'),
    default: null,
    shownDefault: 'see [The state directory](#the-state-directory)',
    description: 'An absolute directory. The server creates it if it is missing.',
  }),
  /** The address of a Valkey or Redis, without a password; null for files. */
  store: setting({
    variable: 'GEMINI_MCP_STORE',
    flag: 'store',
    group: 'The process',
    type: types.storeAddress,
    default: null,
    shownDefault: 'files in the state directory',
    description:
      'A Valkey (8 or later) or Redis (7.0 or later) that several servers share: `redis://user@host:6379/0`, or `rediss://` for TLS. It keeps conversations, answers, results of jobs and approvals. See [Several machines](http/several-machines.md).',
  }),
  storePasswordFile: setting({
    variable: 'GEMINI_MCP_STORE_PASSWORD_FILE',
    flag: 'store-password-file',
    group: 'The process',
    type: types.absolutePath('<file>'),
    default: null,
    description:
      'An absolute path. The file holds the password for that store and is read for each connection. Only you may be able to read it (mode 0600).',
  }),
  storePrefix: setting({
    variable: 'GEMINI_MCP_STORE_PREFIX',
    flag: 'store-prefix',
    group: 'The process',
    type: types.storePrefix,
    default: 'gemini-mcp',
    description:
      'The beginning of all names in that store: 1 to 64 letters, digits, `.`, `_`, `-`. Servers share data only if they have the same prefix.',
  }),
  logLevel: setting({
    variable: 'GEMINI_MCP_LOG_LEVEL',
    flag: 'log-level',
    group: 'The process',
    type: types.choiceOf('<level>', logLevels),
    default: 'info',
    description: `The log level: ${logLevels.map((level) => `\`${level}\``).join(', ')}. Only \`trace\` logs the texts of prompts and answers.`,
  }),
} satisfies SettingTable;

/** The parsed settings of every server. */
export type ServerSettingValues = SettingValues<typeof serverSettings>;

/** The settings of every server, in display order. */
export const serverSettingList: readonly Setting[] = Object.values(serverSettings);

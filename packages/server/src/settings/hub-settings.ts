import { type SettingTable, setting } from './setting.ts';
import * as types from './value-types.ts';

const forms: readonly ('auto' | 'listed' | 'searched')[] = ['auto', 'listed', 'searched'];

const credentialPlaces: readonly ('file' | 'keychain')[] = ['file', 'keychain'];

/** What can be set of the other MCP servers that this one speaks with. */
export const hubSettings = {
  /** An absolute path, or `off`; null for what suits the way in which the server is reached. */
  serversFile: setting({
    variable: 'GEMINI_MCP_SERVERS_FILE',
    flag: 'servers-file',
    group: 'Other MCP servers',
    type: types.absolutePathOr('<file>', 'off'),
    default: null,
    shownDefault: "the user's `gemini-mcp-server/settings.json` over stdio, none over HTTP",
    description:
      'The absolute path of the settings file with `mcpServers`: the other MCP servers of the user. `off`: none, nor those of a project; those that the administrator of the machine has set up count always.',
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
      'Which of the other MCP servers are offered on to clients: `none`, `all`, or names of servers and of tools (`memory,github__create_issue`), separated by commas. See [Offering servers on to your clients](hub-clients.md).',
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
      "How logins to other MCP servers are kept. `file`: in files that only you can read. `keychain`: these files are sealed with a key of the system's keychain, and nothing can be kept without it. See [What becomes of a login](hub-logins.md#what-becomes-of-a-login).",
  }),
  /** 0 for none: servers are told that there is no model. */
  serverSampling: setting({
    variable: 'GEMINI_MCP_SERVERS_SAMPLING',
    flag: 'servers-sampling',
    group: 'Other MCP servers',
    type: types.wholeNumber('<number>', 0, 1_000),
    default: 0,
    description:
      'How many questions to Gemini each other MCP server may ask in an hour by itself (sampling), up to 1000, with 200,000 tokens in all. 0: none. Each one is in the log.',
  }),
} satisfies SettingTable;

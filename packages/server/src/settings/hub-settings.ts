import { type SettingTable, setting } from './setting.ts';
import * as types from './value-types.ts';

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
} satisfies SettingTable;

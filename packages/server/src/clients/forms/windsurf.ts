import {
  adviseOnSettings,
  authorization,
  type ClientForm,
  type EntryOf,
  editorReference,
  fromEnvironment,
  mcpServers,
  stdioServer,
} from '../client-form.ts';

const windsurfPlace = 'Put it into ~/.codeium/windsurf/mcp_config.json.';

const entryOf: EntryOf = (entry) => stdioServer(entry, editorReference);

export const windsurf: ClientForm = {
  names: ['windsurf-client', 'windsurf'],
  passVariable: adviseOnSettings({
    client: 'Windsurf',
    file: '~/.codeium/windsurf/mcp_config.json',
    reference: editorReference,
  }),
  entry: entryOf,
  stdio: (entry) => ({ text: mcpServers(entryOf(entry)), place: windsurfPlace }),
  http: (entry) => ({
    text: mcpServers({ serverUrl: entry.url, headers: authorization(entry, editorReference) }),
    place: `${windsurfPlace}${fromEnvironment(entry, 'Windsurf')}`,
  }),
};

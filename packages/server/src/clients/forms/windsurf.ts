import {
  adviseOnSettings,
  authorization,
  type ClientForm,
  editorReference,
  fromEnvironment,
  mcpServers,
  stdioServer,
} from '../client-form.ts';

const windsurfPlace = 'Put it into ~/.codeium/windsurf/mcp_config.json.';

export const windsurf: ClientForm = {
  names: ['windsurf-client', 'windsurf'],
  passVariable: adviseOnSettings({
    client: 'Windsurf',
    file: '~/.codeium/windsurf/mcp_config.json',
    reference: editorReference,
  }),
  stdio: (entry) => ({ text: mcpServers(stdioServer(entry, editorReference)), place: windsurfPlace }),
  http: (entry) => ({
    text: mcpServers({ serverUrl: entry.url, headers: authorization(entry, editorReference) }),
    place: `${windsurfPlace}${fromEnvironment(entry, 'Windsurf')}`,
  }),
};

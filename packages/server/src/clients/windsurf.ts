import { adviseOnSettings } from './advise-on-settings.ts';
import type { ClientForm } from './client-form.ts';
import { authorization, editorReference, fromEnvironment, mcpServers, stdioServer } from './settings-text.ts';

const place = 'Put it into ~/.codeium/windsurf/mcp_config.json.';

export const windsurf: ClientForm = {
  names: ['windsurf-client', 'windsurf'],
  passVariable: adviseOnSettings({
    client: 'Windsurf',
    file: '~/.codeium/windsurf/mcp_config.json',
    reference: editorReference,
  }),
  stdio: (entry) => ({ text: mcpServers(stdioServer(entry, editorReference)), place }),
  http: (entry) => ({
    text: mcpServers({ serverUrl: entry.url, headers: authorization(entry, editorReference) }),
    place: `${place}${fromEnvironment(entry, 'Windsurf')}`,
  }),
};

import { adviseOnSettings } from './advise-on-settings.ts';
import type { ClientForm } from './client-form.ts';
import { editorReference, fromEnvironment, httpServer, mcpServers, stdioServer } from './settings-text.ts';

const place = 'Put it into ~/.cursor/mcp.json, or .cursor/mcp.json in your project.';

export const cursor: ClientForm = {
  names: ['cursor-vscode', 'cursor'],
  passVariable: adviseOnSettings({
    client: 'Cursor',
    file: '~/.cursor/mcp.json or .cursor/mcp.json',
    reference: editorReference,
  }),
  stdio: (entry) => ({ text: mcpServers(stdioServer(entry, editorReference)), place }),
  http: (entry) => ({
    text: mcpServers(httpServer(entry, editorReference)),
    place: `${place}${fromEnvironment(entry, 'Cursor')}`,
  }),
};

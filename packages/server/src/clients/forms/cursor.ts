import {
  adviseOnSettings,
  type ClientForm,
  editorReference,
  fromEnvironment,
  httpServer,
  mcpServers,
  stdioServer,
} from '../client-form.ts';

const cursorPlace = 'Put it into ~/.cursor/mcp.json, or .cursor/mcp.json in your project.';

export const cursor: ClientForm = {
  names: ['cursor-vscode', 'cursor'],
  passVariable: adviseOnSettings({
    client: 'Cursor',
    file: '~/.cursor/mcp.json or .cursor/mcp.json',
    reference: editorReference,
  }),
  stdio: (entry) => ({ text: mcpServers(stdioServer(entry, editorReference)), place: cursorPlace }),
  http: (entry) => ({
    text: mcpServers(httpServer(entry, editorReference)),
    place: `${cursorPlace}${fromEnvironment(entry, 'Cursor')}`,
  }),
};

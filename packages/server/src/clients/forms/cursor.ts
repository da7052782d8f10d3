import {
  adviseOnSettings,
  type ClientForm,
  type EntryOf,
  editorReference,
  fromEnvironment,
  httpServer,
  mcpServers,
  stdioServer,
} from '../client-form.ts';

const cursorPlace = 'Put it into ~/.cursor/mcp.json, or .cursor/mcp.json in your project.';

const entryOf: EntryOf = (entry) => stdioServer(entry, editorReference);

export const cursor: ClientForm = {
  names: ['cursor-vscode', 'cursor'],
  passVariable: adviseOnSettings({
    client: 'Cursor',
    file: '~/.cursor/mcp.json or .cursor/mcp.json',
    reference: editorReference,
  }),
  entry: entryOf,
  stdio: (entry) => ({ text: mcpServers(entryOf(entry)), place: cursorPlace }),
  http: (entry) => ({
    text: mcpServers(httpServer(entry, editorReference)),
    place: `${cursorPlace}${fromEnvironment(entry, 'Cursor')}`,
  }),
};

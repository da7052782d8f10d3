import {
  adviseOnSettings,
  type ClientForm,
  type EntryOf,
  editorReference,
  httpServer,
  json,
  stdioServer,
} from '../client-form.ts';

const vscodePlace = 'Put it into .vscode/mcp.json in your project.';

const tokenInput = {
  type: 'promptString',
  id: 'gemini-mcp-token',
  description: 'Token of the Gemini MCP server',
  password: true,
} as const;

const entryOf: EntryOf = (entry) => ({ type: 'stdio', ...stdioServer(entry, editorReference) });

export const vscode: ClientForm = {
  names: ['visual studio code', 'visual studio code - insiders'],
  passVariable: adviseOnSettings({ client: 'VS Code', file: '.vscode/mcp.json', reference: editorReference }),
  entry: entryOf,
  stdio: (entry) => ({
    text: json({ servers: { gemini: entryOf(entry) } }),
    place: vscodePlace,
  }),
  http: (entry) => ({
    text: json({
      ...(entry.token === null ? { inputs: [tokenInput] } : {}),
      servers: { gemini: { type: 'http', ...httpServer(entry, () => `\${input:${tokenInput.id}}`) } },
    }),
    place: entry.token === null ? `${vscodePlace} VS Code asks for the token once, and keeps it.` : vscodePlace,
  }),
};

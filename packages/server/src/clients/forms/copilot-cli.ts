import {
  adviseOnEnvironment,
  type ClientForm,
  callTimeoutMs,
  fromEnvironment,
  httpServer,
  mcpServers,
  shellReference,
  stdioServer,
} from '../client-form.ts';

const place = 'Put it into ~/.copilot/mcp-config.json, or .mcp.json in your project.';

export const copilotCli: ClientForm = {
  names: ['copilot-cli', 'github-copilot-developer'],
  passVariable: adviseOnEnvironment('Copilot CLI'),
  stdio: (entry) => ({
    text: server({ type: 'local', ...stdioServer(entry, null) }),
    place: `${place} Copilot CLI passes all variables of its shell on.`,
  }),
  http: (entry) => ({
    text: server({ type: 'http', ...httpServer(entry, shellReference) }),
    place: `${place}${fromEnvironment(entry, 'Copilot CLI')}`,
  }),
};

function server(entry: Readonly<Record<string, unknown>>): string {
  return mcpServers({ ...entry, tools: ['*'], timeout: callTimeoutMs });
}

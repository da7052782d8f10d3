import {
  adviseOnEnvironment,
  type ClientForm,
  callTimeoutMs,
  type EntryOf,
  fromEnvironment,
  httpServer,
  mcpServers,
  shellReference,
  stdioServer,
} from '../client-form.ts';

const place = 'Put it into ~/.copilot/mcp-config.json, or .mcp.json in your project.';

const entryOf: EntryOf = (entry) => withLimits({ type: 'local', ...stdioServer(entry, null) });

export const copilotCli: ClientForm = {
  names: ['copilot-cli', 'github-copilot-developer'],
  passVariable: adviseOnEnvironment('Copilot CLI'),
  entry: entryOf,
  stdio: (entry) => ({
    text: mcpServers(entryOf(entry)),
    place: `${place} Copilot CLI passes all variables of its shell on.`,
  }),
  http: (entry) => ({
    text: mcpServers(withLimits({ type: 'http', ...httpServer(entry, shellReference) })),
    place: `${place}${fromEnvironment(entry, 'Copilot CLI')}`,
  }),
};

function withLimits(entry: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...entry, tools: ['*'], timeout: callTimeoutMs };
}

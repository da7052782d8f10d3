import {
  adviseOnSettings,
  type ClientForm,
  callTimeoutMs,
  directoryToFillIn,
  httpServer,
  mcpServers,
  stdioServer,
  toFillIn,
  tokenToFillIn,
  valuesToFillIn,
} from '../client-form.ts';

const file = '~/.lmstudio/mcp.json';

export const lmStudio: ClientForm = {
  names: ['lmstudio-mcp-bridge-client'],
  passVariable: adviseOnSettings({ client: 'LM Studio', file, reference: null }),
  stdio: (entry) => ({
    text: server({ ...stdioServer(entry, null), env: { ...directoryToFillIn(entry), ...valuesToFillIn(entry) } }),
    place: `Put it into ${file}. LM Studio replaces no variables: replace each word in angle brackets with its value.`,
  }),
  http: (entry) => ({
    text: server(httpServer(entry, toFillIn)),
    place: `Put it into ${file}.${tokenToFillIn(entry, 'LM Studio')}`,
  }),
};

function server(entry: Readonly<Record<string, unknown>>): string {
  return mcpServers({ ...entry, timeout: callTimeoutMs });
}

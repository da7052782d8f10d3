import {
  adviseOnSettings,
  type ClientForm,
  callTimeoutMs,
  directoryToFillIn,
  type EntryOf,
  httpServer,
  mcpServers,
  stdioServer,
  toFillIn,
  tokenToFillIn,
  valuesToFillIn,
} from '../client-form.ts';

const file = '~/.lmstudio/mcp.json';

const entryOf: EntryOf = (entry) => ({
  ...stdioServer(entry, null),
  env: { ...directoryToFillIn(entry), ...valuesToFillIn(entry) },
  timeout: callTimeoutMs,
});

export const lmStudio: ClientForm = {
  names: ['lmstudio-mcp-bridge-client'],
  passVariable: adviseOnSettings({ client: 'LM Studio', file, reference: null }),
  entry: entryOf,
  stdio: (entry) => ({
    text: mcpServers(entryOf(entry)),
    place: `Put it into ${file}. LM Studio replaces no variables: replace each word in angle brackets with its value.`,
  }),
  http: (entry) => ({
    text: mcpServers({ ...httpServer(entry, toFillIn), timeout: callTimeoutMs }),
    place: `Put it into ${file}.${tokenToFillIn(entry, 'LM Studio')}`,
  }),
};

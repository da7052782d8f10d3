import {
  adviseOnSettings,
  authorization,
  type ClientForm,
  type EntryOf,
  mcpServers,
  stdioServer,
  toFillIn,
  tokenToFillIn,
  valuesToFillIn,
} from '../client-form.ts';

const file = '~/.gemini/config/mcp_config.json';

const entryOf: EntryOf = (entry) => ({ ...stdioServer(entry, null), env: valuesToFillIn(entry) });

export const antigravity: ClientForm = {
  names: ['antigravity-client'],
  passVariable: adviseOnSettings({ client: 'Antigravity', file, reference: null }),
  entry: entryOf,
  stdio: (entry) => ({
    text: mcpServers(entryOf(entry)),
    place: `Put it into ${file}. Antigravity replaces no variables: replace each word in angle brackets with its value.`,
  }),
  http: (entry) => ({
    text: mcpServers({ serverUrl: entry.url, headers: authorization(entry, toFillIn) }),
    place: `Put it into ${file}.${tokenToFillIn(entry, 'Antigravity')}`,
  }),
};

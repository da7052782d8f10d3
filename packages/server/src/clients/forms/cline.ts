import {
  adviseOnEnvironment,
  type ClientForm,
  callTimeoutMs,
  type EntryOf,
  httpServer,
  mcpServers,
  stdioServer,
  toFillIn,
  tokenToFillIn,
} from '../client-form.ts';

const place = 'Put it into ~/.cline/data/settings/cline_mcp_settings.json.';

/** In seconds, in all its editions. */
const timeout = callTimeoutMs / 1_000;

const entryOf: EntryOf = (entry) => ({ ...stdioServer(entry, null), timeout });

export const cline: ClientForm = {
  names: ['cline', '@cline/core'],
  passVariable: adviseOnEnvironment('Cline'),
  entry: entryOf,
  stdio: (entry) => ({
    text: mcpServers(entryOf(entry)),
    place: `${place} Cline passes all variables of its shell on.`,
  }),
  http: (entry) => ({
    // Without the type, Cline takes the address for one of the older HTTP+SSE transport.
    text: mcpServers({ type: 'streamableHttp', ...httpServer(entry, toFillIn), timeout }),
    place: `${place}${tokenToFillIn(entry, 'Cline')}`,
  }),
};

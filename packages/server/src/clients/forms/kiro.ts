import {
  adviseOnSettings,
  type ClientForm,
  type EntryOf,
  fromEnvironment,
  httpServer,
  mcpServers,
  shellReference,
  stdioServer,
} from '../client-form.ts';

const place = 'Put it into ~/.kiro/settings/mcp.json, or .kiro/settings/mcp.json in your project.';

const approval = 'Kiro replaces a variable once its name is in the setting "Mcp Approved Env Vars".';

const entryOf: EntryOf = (entry) => stdioServer(entry, shellReference);

export const kiro: ClientForm = {
  names: ['kiro', 'q-dev-cli'],
  passVariable: adviseOnSettings({
    client: 'Kiro',
    file: '~/.kiro/settings/mcp.json or .kiro/settings/mcp.json',
    reference: shellReference,
  }),
  entry: entryOf,
  stdio: (entry) => ({
    text: mcpServers(entryOf(entry)),
    place: entry.variables.length === 0 ? place : `${place} ${approval}`,
  }),
  http: (entry) => ({
    text: mcpServers(httpServer(entry, shellReference)),
    place: entry.token === null ? `${place}${fromEnvironment(entry, 'Kiro')} ${approval}` : place,
  }),
};

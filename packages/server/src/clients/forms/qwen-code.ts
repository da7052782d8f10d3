import {
  adviseOnEnvironment,
  authorization,
  type ClientForm,
  callTimeoutMs,
  type EntryOf,
  fromEnvironment,
  mcpServers,
  type Reference,
  stdioServer,
} from '../client-form.ts';

const place = 'Put it into ~/.qwen/settings.json, or .qwen/settings.json in your project.';

const reference: Reference = (name) => `$${name}`;

const entryOf: EntryOf = (entry) => ({ ...stdioServer(entry, null), timeout: callTimeoutMs });

export const qwenCode: ClientForm = {
  // Its name ends in the name of the server's entry.
  names: ['qwen-cli-mcp-client-gemini'],
  passVariable: adviseOnEnvironment('Qwen Code'),
  entry: entryOf,
  stdio: (entry) => ({
    text: mcpServers(entryOf(entry)),
    place: `${place} Qwen Code passes all variables of its shell on.`,
  }),
  http: (entry) => ({
    text: mcpServers({ httpUrl: entry.url, headers: authorization(entry, reference), timeout: callTimeoutMs }),
    place:
      entry.token === null
        ? `${place}${fromEnvironment(entry, 'Qwen Code')} A later \`qwen mcp add\` writes the token itself into this file.`
        : place,
  }),
};

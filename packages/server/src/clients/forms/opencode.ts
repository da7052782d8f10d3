import {
  adviseOnEnvironment,
  type ClientForm,
  callTimeoutMs,
  type EntryOf,
  fromEnvironment,
  httpServer,
  json,
  type Reference,
} from '../client-form.ts';

const place = 'Put it into ~/.config/opencode/opencode.json, or opencode.json in your project.';

const reference: Reference = (name) => `{env:${name}}`;

const entryOf: EntryOf = ({ command, args }) => withTimeout({ type: 'local', command: [command, ...args] });

export const opencode: ClientForm = {
  names: ['opencode'],
  passVariable: adviseOnEnvironment('opencode'),
  entry: entryOf,
  stdio: (entry) => ({
    text: json({ mcp: { gemini: entryOf(entry) } }),
    place: `${place} opencode passes all variables of its shell on.`,
  }),
  http: (entry) => ({
    text: json({ mcp: { gemini: withTimeout({ type: 'remote', ...httpServer(entry, reference) }) } }),
    place: `${place}${fromEnvironment(entry, 'opencode')}`,
  }),
};

/** Without a timeout, opencode gives a call five seconds between two reports of progress. */
function withTimeout(entry: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...entry, timeout: callTimeoutMs };
}

import {
  adviseOnEnvironment,
  type ClientForm,
  callTimeoutMs,
  fromEnvironment,
  httpServer,
  json,
  type Reference,
} from '../client-form.ts';

const place = 'Put it into ~/.config/opencode/opencode.json, or opencode.json in your project.';

const reference: Reference = (name) => `{env:${name}}`;

export const opencode: ClientForm = {
  names: ['opencode'],
  passVariable: adviseOnEnvironment('opencode'),
  stdio: ({ command, args }) => ({
    text: server({ type: 'local', command: [command, ...args] }),
    place: `${place} opencode passes all variables of its shell on.`,
  }),
  http: (entry) => ({
    text: server({ type: 'remote', ...httpServer(entry, reference) }),
    place: `${place}${fromEnvironment(entry, 'opencode')}`,
  }),
};

/** Without a timeout, opencode gives a call five seconds between two reports of progress. */
function server(entry: Readonly<Record<string, unknown>>): string {
  return json({ mcp: { gemini: { ...entry, timeout: callTimeoutMs } } });
}

import {
  adviseOnEnvironment,
  type ClientForm,
  callTimeoutMs,
  type EntryOf,
  httpServer,
  json,
  stdioServer,
  toFillIn,
  tokenToFillIn,
} from '../client-form.ts';

const place = 'Put it into ~/.config/zed/settings.json, on Windows %APPDATA%\\Zed\\settings.json.';

const entryOf: EntryOf = (entry) => withTimeout(stdioServer(entry, null));

export const zed: ClientForm = {
  names: ['zed'],
  passVariable: adviseOnEnvironment('Zed'),
  entry: entryOf,
  stdio: (entry) => ({
    text: json({ context_servers: { gemini: entryOf(entry) } }),
    place: `${place} Zed passes the variables of its own environment on.`,
  }),
  http: (entry) => ({
    text: json({ context_servers: { gemini: withTimeout(httpServer(entry, toFillIn)) } }),
    place: `${place}${tokenToFillIn(entry, 'Zed')}`,
  }),
};

/** Zed counts in seconds. */
function withTimeout(entry: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...entry, timeout: callTimeoutMs / 1_000 };
}

import {
  adviseOnEnvironment,
  type ClientForm,
  callTimeoutMs,
  httpServer,
  json,
  stdioServer,
  toFillIn,
  tokenToFillIn,
} from '../client-form.ts';

const place = 'Put it into ~/.config/zed/settings.json, on Windows %APPDATA%\\Zed\\settings.json.';

export const zed: ClientForm = {
  names: ['zed'],
  passVariable: adviseOnEnvironment('Zed'),
  stdio: (entry) => ({
    text: server(stdioServer(entry, null)),
    place: `${place} Zed passes the variables of its own environment on.`,
  }),
  http: (entry) => ({
    text: server(httpServer(entry, toFillIn)),
    place: `${place}${tokenToFillIn(entry, 'Zed')}`,
  }),
};

/** Zed counts in seconds. */
function server(entry: Readonly<Record<string, unknown>>): string {
  return json({ context_servers: { gemini: { ...entry, timeout: callTimeoutMs / 1_000 } } });
}

import { editorReference, type StdioEntry, shellReference, stdioServer } from './client-form.ts';
import type { ClientName } from './client-names.ts';

/** The links that open a client with an entry for this server, which the client shows before it adds it. */
const links: Partial<Readonly<Record<ClientName, (entry: StdioEntry) => string>>> = {
  cursor: (entry) =>
    `cursor://anysphere.cursor-deeplink/mcp/install?name=gemini&config=${base64(stdioServer(entry, editorReference))}`,
  vscode: (entry) =>
    `vscode:mcp/install?${percent({ name: 'gemini', type: 'stdio', ...stdioServer(entry, editorReference) })}`,
  kiro: (entry) => `https://kiro.dev/launch/mcp/add?name=gemini&config=${percent(stdioServer(entry, shellReference))}`,
  'lm-studio': (entry) => `lmstudio://add_mcp?name=gemini&config=${base64(stdioServer(entry, null))}`,
};

/** The clients that can install a server from a link. */
export const linkedClients: readonly string[] = Object.keys(links);

/** The link that installs a server in a client; null if the client has no such links. */
export function installLink(client: ClientName, entry: StdioEntry): string | null {
  return links[client]?.(entry) ?? null;
}

function percent(value: unknown): string {
  return encodeURIComponent(JSON.stringify(value)).replaceAll("'", '%27');
}

/** Its `+` and `/` have meanings in URLs. */
function base64(value: unknown): string {
  return encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'));
}

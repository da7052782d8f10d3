import { resolve } from 'node:path';
import type { ServerTransport } from '@gemini-mcp/core/internal';
import type { ServerEntry, ServerReach } from '@gemini-mcp/hub';
import type { Environment } from '../settings/environment.ts';
import { type HubMark, hubHeader, hubVariable } from './hub-mark.ts';
import type { HubSettingsRead } from './hub-settings-files.ts';
import { loadHubLibrary } from './load-hub-library.ts';
import { readSecret } from './read-secret.ts';

/** What sends requests to one server for one owner; `owner` is null for a server that all owners share. */
type FetchFor = (server: {
  readonly entry: ServerEntry;
  readonly url: string;
  readonly owner: string | null;
}) => typeof fetch;

export type ReachServerOptions = {
  readonly settings: HubSettingsRead;
  readonly entry: ServerEntry;
  readonly owner: string | null;
  readonly environment: Environment;
  readonly home: string;
  readonly workingDirectory: string;
  readonly mark: HubMark;
  readonly fetchFor: FetchFor;
};

/** How a server is reached, with the variables and the secrets as they are now. Never rejects. */
export async function reachServer(options: ReachServerOptions): Promise<ServerReach> {
  const { settings, entry, owner, home, fetchFor } = options;
  const { resolveServer, secretsOf } = await loadHubLibrary();
  const place = settings.files.find((file) => file.settings?.servers.get(entry.name) === entry);
  const directory = place?.directory ?? home;
  const secrets = new Map<string, string>();
  for (const secret of secretsOf(entry)) {
    const read = await readSecret(secret, { directory, home });
    if (!read.read) {
      return { isKnown: false, problem: `It needs the secret ${secret.kind}:${secret.name}. ${read.reason}` };
    }
    secrets.set(`${secret.kind}:${secret.name}`, read.text);
  }
  const values = {
    variables: variablesOf(options),
    secretOf: (kind: string, name: string) => secrets.get(`${kind}:${name}`) ?? null,
  };
  const resolved = resolveServer(entry, { values, baseDirectory: directory, joinPath: resolve });
  return resolved.resolved
    ? {
        isKnown: true,
        transport: marked(resolved.transport, options.mark),
        fetch: (input, init) => fetchFor({ entry, url: urlOf(resolved.transport), owner })(input, init),
      }
    : { isKnown: false, problem: resolved.problem };
}

/** Only those that the settings name. The working directory is ours, whatever the variable says. */
function variablesOf({ settings, environment, workingDirectory }: ReachServerOptions): ReadonlyMap<string, string> {
  const pairs = settings.merged.variables.flatMap((name): [string, string][] => {
    const value = name === 'PWD' ? workingDirectory : environment[name];
    return value === undefined ? [] : [[name, value]];
  });
  return new Map(pairs);
}

function urlOf(transport: ServerTransport): string {
  return transport.type === 'stdio' ? '' : transport.url;
}

/** So that a server of this kind, which is started or asked by it, speaks with no others: otherwise it could be its own. */
function marked(transport: ServerTransport, { id }: HubMark): ServerTransport {
  if (transport.type !== 'stdio') {
    return { ...transport, headers: { ...transport.headers, [hubHeader]: id } };
  }
  const { program } = transport;
  return { ...transport, program: { ...program, environment: { ...program.environment, [hubVariable]: '1' } } };
}

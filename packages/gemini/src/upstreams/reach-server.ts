import { join, resolve } from 'node:path';
import type { Environment } from '@gemini-mcp/adapters-node';
import { readSecretFile } from '@gemini-mcp/adapters-node/internal';
import type { ServerTransport } from '@gemini-mcp/core/internal';
import type { Logins, SecretReference, ServerEntry, ServerReach, TemplateValues } from '@gemini-mcp/upstreams';
import { loadUpstreamsLibrary } from './load-upstreams-library.ts';
import { SystemKeychain, secretsKeychain } from './system-keychain.ts';
import type { UpstreamSettingsRead } from './upstream-settings.ts';

/** The environment variable that marks a server started by another gemini-mcp-server. */
export const loopVariable = 'GEMINI_MCP_STARTED_BY_HUB';

/** The header of requests that such a server sends to other servers: the id of its process. */
export const loopHeader = 'gemini-mcp-server-id';

/** The id that this process recognises as its own. */
export type LoopMark = { readonly id: string };

/** Over stdio, at the terminal and in a program the user has one set of servers, whatever the name of the client. No principal has this owner. */
export const ownerOnThisMachine = 'user';

/** The owner of logins to shared servers. No principal has this owner. */
export const ownerOfShared = 'all';

export type ResolveReachOptions = {
  readonly settings: UpstreamSettingsRead;
  readonly entry: ServerEntry;
  readonly environment: Environment;
  readonly home: string;
  readonly workingDirectory: string;
};

/** The connection of a server with its references resolved, or a sentence for a user on why they cannot be resolved. */
export type ResolvedReach =
  | { readonly isKnown: true; readonly transport: ServerTransport; readonly values: TemplateValues }
  | { readonly isKnown: false; readonly problem: string };

export type ReachServerOptions = ResolveReachOptions & {
  /** Null for a server that all owners share. */
  readonly owner: string | null;
  readonly mark: LoopMark;
  readonly logins: Logins;
};

/** Resolves a server's connection with the current variables, secrets and login. Never rejects. */
export async function reachServer(options: ReachServerOptions): Promise<ServerReach> {
  const { entry, owner, mark, logins } = options;
  const resolved = await resolveReach(options);
  if (!resolved.isKnown) {
    return resolved;
  }
  const { transport, values } = resolved;
  const { secretTexts } = await loadUpstreamsLibrary();
  const secrets = secretTexts(entry, values);
  const sent = marked(transport, mark);
  if (transport.type === 'stdio') {
    return { isKnown: true, transport: sent, fetch, secrets };
  }
  const subject = { entry, url: transport.url, owner: owner ?? ownerOfShared, values };
  return { isKnown: true, transport: sent, secrets, ...logins.of(subject, transport.headers) };
}

/** Resolves the current variables and secrets. Never rejects. */
export async function resolveReach(options: ResolveReachOptions): Promise<ResolvedReach> {
  const { settings, entry, home } = options;
  const { resolveServer, secretsOf } = await loadUpstreamsLibrary();
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
    allowed: settings.merged.variables,
    variables: variablesOf(options),
    secretOf: (kind: string, name: string) => secrets.get(`${kind}:${name}`) ?? null,
  };
  const resolved = resolveServer(entry, { values, baseDirectory: directory, joinPath: resolve });
  return resolved.resolved
    ? { isKnown: true, transport: resolved.transport, values }
    : { isKnown: false, problem: resolved.problem };
}

/** Only variables that the settings name. `PWD` is always our working directory. */
function variablesOf({ settings, environment, workingDirectory }: ResolveReachOptions): ReadonlyMap<string, string> {
  const pairs = settings.merged.variables.flatMap((name): [string, string][] => {
    const value = name === 'PWD' ? workingDirectory : environment[name];
    return value === undefined ? [] : [[name, value]];
  });
  return new Map(pairs);
}

/** So that a server of this kind, which is started or asked by it, speaks with no others: otherwise it could be its own. */
function marked(transport: ServerTransport, { id }: LoopMark): ServerTransport {
  if (transport.type !== 'stdio') {
    return { ...transport, headers: { ...transport.headers, [loopHeader]: id } };
  }
  const { program } = transport;
  return { ...transport, program: { ...program, environment: { ...program.environment, [loopVariable]: '1' } } };
}

type SecretRead =
  | { readonly read: true; readonly text: string }
  /** A sentence for a user, without the secret. */
  | { readonly read: false; readonly reason: string };

type SecretPlace = {
  /** The base of relative paths. */
  readonly directory: string;
  readonly home: string;
};

/** The secret that settings refer to. Never rejects. */
async function readSecret({ kind, name }: SecretReference, place: SecretPlace): Promise<SecretRead> {
  if (kind === 'keychain') {
    return await readFromKeychain(name);
  }
  const path = name.startsWith('~/') ? join(place.home, name.slice(2)) : resolve(place.directory, name);
  const file = await readSecretFile(path);
  return file.read ? file : { read: false, reason: `The file ${path} ${file.reason}.` };
}

async function readFromKeychain(name: string): Promise<SecretRead> {
  const read = await new SystemKeychain(secretsKeychain).read(name);
  switch (read.type) {
    case 'found':
      return { read: true, text: read.secret };
    case 'none':
      return { read: false, reason: `The keychain has nothing under the name ${JSON.stringify(name)}.` };
    case 'unavailable':
      return { read: false, reason: read.reason };
  }
}

import { canonicalJson, hostNearness, isMetadataHost } from '@gemini-mcp/core/internal';
import { digestOf } from '../digest-of.ts';
import type { SettingsMembers, SettingsNode } from './settings-node.ts';
import { parsePlainTemplate, parseTemplate, type TemplatePart } from './value-template.ts';

export type Template = readonly TemplatePart[];

const authProviderTypes = ['dynamic_discovery', 'google_credentials', 'service_account_impersonation'] as const;

export type OAuthEntry = {
  readonly isEnabled: boolean;
  readonly clientId: Template | null;
  readonly clientSecret: Template | null;
  readonly authorizationUrl: string | null;
  readonly tokenUrl: string | null;
  readonly issuer: string | null;
  readonly registrationUrl: string | null;
  readonly scopes: readonly string[];
  readonly redirectUri: string | null;
  readonly tokenParamName: string | null;
  readonly audiences: readonly string[];
};

/** How to reach a server, with references not yet filled in. */
export type TransportEntry =
  | {
      readonly type: 'stdio';
      readonly command: Template;
      readonly arguments: readonly Template[];
      readonly environment: ReadonlyMap<string, Template>;
      readonly workingDirectory: Template | null;
    }
  | {
      readonly type: 'http' | 'sse' | 'either';
      readonly url: Template;
      readonly headers: ReadonlyMap<string, Template>;
    };

/** A server in the user's settings. */
export type ServerEntry = {
  readonly name: string;
  readonly transport: TransportEntry;
  /** Null for the default. */
  readonly timeoutMs: number | null;
  /** Skips the approval of calls, for this digest only. */
  readonly isTrusted: boolean;
  /** Null for all tools. */
  readonly includeTools: readonly string[] | null;
  readonly excludeTools: readonly string[];
  readonly description: string | null;
  readonly oauth: OAuthEntry | null;
  readonly authProviderType: (typeof authProviderTypes)[number];
  readonly targetAudience: string | null;
  readonly targetServiceAccount: string | null;
  readonly isEnabled: boolean;
  /** All owners share one process and one login, by the operator's decision. */
  readonly isShared: boolean;
  /** Whether its tools must match their approved versions. */
  readonly pin: 'on' | 'off';
  /** SHA-256 of everything that identifies the server and the rights it uses. Approvals and pins are bound to it. */
  readonly digest: string;
};

/** Whether the user offers a tool. An entry `name(` counts as its name, and excluded tools stay out. */
export function offersTool({ includeTools, excludeTools }: ServerEntry, tool: string): boolean {
  const names = (entry: string) => entry === tool || entry.startsWith(`${tool}(`);
  return !excludeTools.some(names) && (includeTools === null || includeTools.some(names));
}

/** All properties of a server: those of the Gemini CLI, and our own `enabled`, `shared` and `pin`. */
const known = [
  ...[
    'command',
    'args',
    'env',
    'cwd',
    'url',
    'httpUrl',
    'headers',
    'type',
    'timeout',
    'trust',
    'includeTools',
    'excludeTools',
  ],
  ...[
    'description',
    'oauth',
    'authProviderType',
    'targetAudience',
    'targetServiceAccount',
    'enabled',
    'shared',
    'pin',
    'tcp',
  ],
];

/** Properties of other clients, too different from ours for a nearest-name guess. */
const meant: ReadonlyMap<string, string> = new Map([
  ['disabled', 'enabled'],
  ['alwaysAllow', 'trust'],
  ['autoApprove', 'trust'],
  ['environment', 'env'],
  ['serverUrl', 'url'],
  ['transport', 'type'],
  ['disabledTools', 'excludeTools'],
  ['enabledTools', 'includeTools'],
]);

const knownOfOAuth = [
  ...['enabled', 'clientId', 'clientSecret', 'authorizationUrl', 'tokenUrl', 'issuer', 'registrationUrl', 'scopes'],
  ...['redirectUri', 'tokenParamName', 'audiences'],
];

const maxTimeoutMs = 3_600_000;
const maxNameCharacters = 100;

/** Reads a server of the settings; reports and returns null for an invalid one. Reports an invalid property and treats it as missing. */
export function readServerEntry(name: string, node: SettingsNode): ServerEntry | null {
  if (name === '' || name.length > maxNameCharacters || /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) {
    node.problem(`The name of a server needs 1 to ${maxNameCharacters} characters, all of them visible.`);
    return null;
  }
  const members = node.membersNamed(known, meant);
  const transport = members === null ? null : readTransport(node, members);
  if (members === null || transport === null) {
    return null;
  }
  const identity = { oauth: readOAuth(members.get('oauth')), ...readProvider(members) };
  tellMissing(node, identity);
  return {
    name,
    transport,
    ...readUse(members),
    ...identity,
    digest: digestOf(canonicalJson({ transport: plainTransport(transport), ...identity })),
  };
}

type Provider = Pick<ServerEntry, 'authProviderType' | 'targetAudience' | 'targetServiceAccount'>;

function readProvider(members: SettingsMembers): Provider {
  return {
    authProviderType: members.oneOf('authProviderType', authProviderTypes, 'dynamic_discovery'),
    targetAudience: members.text('targetAudience'),
    targetServiceAccount: members.text('targetServiceAccount'),
  };
}

/** Settings that limit the server's use but are not part of its identity. */
function readUse(
  members: SettingsMembers,
): Omit<ServerEntry, 'name' | 'transport' | 'oauth' | 'digest' | keyof Provider> {
  return {
    timeoutMs: members.get('timeout')?.milliseconds(maxTimeoutMs) ?? null,
    isTrusted: members.flag('trust', false),
    includeTools: members.texts('includeTools'),
    excludeTools: members.texts('excludeTools') ?? [],
    description: members.text('description'),
    isEnabled:
      members.flag('enabled', !members.has('enabled')) &&
      !isUnreadable(members.get('excludeTools')) &&
      // A property of other clients: reported as a mistake, but its author wants the server off.
      members.get('disabled')?.value !== true,
    isShared: members.flag('shared', false),
    pin: members.oneOf('pin', ['on', 'off'], 'on'),
  };
}

/** Without a readable list it is unknown which tools to exclude, so the server stays off. */
function isUnreadable(excludeTools: SettingsNode | undefined): boolean {
  const value = excludeTools?.value ?? [];
  return !Array.isArray(value) || value.some((one) => typeof one !== 'string');
}

function tellMissing(
  node: SettingsNode,
  { authProviderType, targetAudience, targetServiceAccount, oauth }: Provider & Pick<ServerEntry, 'oauth'>,
): void {
  if (authProviderType === 'google_credentials' && (oauth?.scopes.length ?? 0) === 0) {
    node.problem('Needs oauth.scopes for authProviderType google_credentials.');
  }
  if (
    authProviderType === 'service_account_impersonation' &&
    (targetAudience === null || targetServiceAccount === null)
  ) {
    node.problem('Needs targetAudience and targetServiceAccount for authProviderType service_account_impersonation.');
  }
}

function readOAuth(node: SettingsNode | undefined): OAuthEntry | null {
  const members = node?.membersNamed(knownOfOAuth) ?? null;
  if (members === null) {
    return null;
  }
  const text = (name: string) => members.text(name);
  const template = (name: string) => {
    const value = members.text(name);
    return value === null ? null : parseTemplate(value);
  };
  return {
    isEnabled: members.flag('enabled', true),
    clientId: template('clientId'),
    clientSecret: template('clientSecret'),
    authorizationUrl: text('authorizationUrl'),
    tokenUrl: text('tokenUrl'),
    issuer: text('issuer'),
    registrationUrl: text('registrationUrl'),
    scopes: members.texts('scopes') ?? [],
    redirectUri: text('redirectUri'),
    tokenParamName: text('tokenParamName'),
    audiences: members.texts('audiences') ?? [],
  };
}

const types = ['stdio', 'http', 'streamable-http', 'sse'] as const;

/** Variables that make a program load or run something else; never passed on. */
const loading =
  /^(?:LD_|DYLD_|BASH_FUNC_)|^(?:NODE_OPTIONS|NODE_PATH|BASH_ENV|ENV|PYTHONSTARTUP|PYTHONPATH|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF)$/i;

/** How to reach a server; null, and a problem at `node`, if the entry does not say. */
function readTransport(node: SettingsNode, members: SettingsMembers): TransportEntry | null {
  const given = (['command', 'url', 'httpUrl'] as const).filter((name) => members.has(name));
  const [way, ...others] = given;
  if (members.has('tcp')) {
    members.get('tcp')?.problem('No longer supported. Use command or url.');
  }
  if (way === undefined || others.length > 0) {
    node.problem(way === undefined ? 'Needs command, or url.' : `Has ${given.join(' and ')}: give one of them.`);
    return null;
  }
  const type = members.get('type')?.oneOf(types) ?? null;
  const isProgram = type === 'stdio';
  if (type !== null && isProgram !== (way === 'command')) {
    members.get('type')?.problem(`Does not go with ${way}.`);
    return null;
  }
  tellUnused(members, way === 'command' ? ['headers', 'oauth', 'authProviderType'] : ['args', 'env', 'cwd'], way);
  return way === 'command' ? readProgram(members) : readAddress(members, way, type);
}

function tellUnused(members: SettingsMembers, names: readonly string[], way: string): void {
  for (const name of names) {
    members.get(name)?.problem(`Has no meaning together with ${way}.`);
  }
}

function readProgram(members: SettingsMembers): TransportEntry | null {
  const command = members.text('command') ?? '';
  if (command === '') {
    return null;
  }
  const directory = members.text('cwd');
  return {
    type: 'stdio',
    command: parsePlainTemplate(command),
    arguments: (members.texts('args') ?? []).map(parsePlainTemplate),
    environment: readEnvironment(members.get('env')),
    workingDirectory: directory === null ? null : parsePlainTemplate(directory),
  };
}

function readEnvironment(node: SettingsNode | undefined): ReadonlyMap<string, Template> {
  const environment = templatesOf(node);
  for (const name of environment.keys()) {
    const why = loading.test(name) ? 'it makes programs load other code' : 'its name is invalid';
    if (loading.test(name) || !/^[A-Za-z_]\w*$/.test(name)) {
      node?.problem(`The variable ${name} is not passed on: ${why}.`);
      environment.delete(name);
    }
  }
  return environment;
}

function readAddress(
  members: SettingsMembers,
  way: 'url' | 'httpUrl',
  type: (typeof types)[number] | null,
): TransportEntry | null {
  const url = members.text(way) ?? '';
  if (url === '') {
    return null;
  }
  const isStreamable = way === 'httpUrl' || type === 'http' || type === 'streamable-http';
  if (way === 'httpUrl' && type === 'sse') {
    members.get('type')?.problem('Does not go with httpUrl: give url.');
    return null;
  }
  const template = parsePlainTemplate(url);
  const headers = templatesOf(members.get('headers'));
  tellAddress(members.get(way), template, headers);
  return { type: isStreamable ? 'http' : type === 'sse' ? 'sse' : 'either', url: template, headers };
}

/** Checks an address without references right away. */
function tellAddress(node: SettingsNode | undefined, url: Template, headers: ReadonlyMap<string, Template>): void {
  const [part, ...others] = url;
  if (part?.type !== 'text' || others.length > 0) {
    return;
  }
  const names = Object.fromEntries([...headers.keys()].map((name) => [name, '']));
  const problem = findAddressProblem({ url: part.text, headers: names });
  if (problem !== null) {
    node?.problem(problem);
  }
}

function templatesOf(node: SettingsNode | undefined): Map<string, Template> {
  const texts = node?.textsByName() ?? new Map<string, string>();
  return new Map([...texts].map(([name, text]) => [name, parseTemplate(text)]));
}

/** The digest's input: maps as lists of pairs, sorted by name. */
function plainTransport(transport: ServerEntry['transport']): unknown {
  const pairs = (map: ReadonlyMap<string, Template>) => Object.fromEntries(map);
  return transport.type === 'stdio'
    ? { ...transport, environment: pairs(transport.environment) }
    : { ...transport, headers: pairs(transport.headers) };
}

/** Why this address and these headers cannot be used, for the user, or null. */
export function findAddressProblem({
  url,
  headers,
}: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}): string | null {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address === null || (address.protocol !== 'https:' && address.protocol !== 'http:')) {
    return 'Its url has to begin with https:// or http://.';
  }
  if (address.username !== '' || address.password !== '') {
    return 'Its url has a user name or a password. Put them into headers, as a reference.';
  }
  if (isMetadataHost(address.hostname)) {
    return 'Its url is the metadata address of a cloud, which serves credentials.';
  }
  if (address.protocol === 'http:' && !isNear(address.hostname) && Object.keys(headers).length > 0) {
    return 'Its url is not encrypted, and headers would be sent in the clear. Use https.';
  }
  const wrong = Object.entries(headers).find(
    ([name, value]) => !/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value),
  );
  return wrong === undefined ? null : 'A header has a name or a value that is invalid in HTTP.';
}

/** On this machine or in a private network, where servers seldom have certificates. */
function isNear(host: string): boolean {
  return ['this-machine', 'private'].includes(hostNearness(host));
}

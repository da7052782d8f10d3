import { canonicalJson } from '@gemini-mcp/core/internal';
import { digestOf } from '../digest-of.ts';
import { plainTransport, readTransport } from './read-transport.ts';
import { authProviderTypes, type OAuthEntry, type ServerEntry } from './server-entry.ts';
import type { SettingsMembers } from './settings-members.ts';
import type { SettingsNode } from './settings-node.ts';
import { parseTemplate } from './value-template.ts';

/** All properties of a server: those of the Gemini CLI, and `enabled`, `shared` and `pin` of ours. */
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

/** Words of other clients, which are too far from ours to be guessed. */
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

/** A server of the settings; null where it is none, which is told. A property that is wrong is told, and counts as missing. */
export function readServerEntry(name: string, node: SettingsNode): ServerEntry | null {
  if (name === '' || name.length > maxNameCharacters || /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) {
    node.problem(`The name of a server has 1 to ${maxNameCharacters} characters, and none that is not seen.`);
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

/** What the user lets the server be used for: no part of what it is. */
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
      // The word of other clients: told as a mistake, but who wrote it wants no server.
      members.get('disabled')?.value !== true,
    isShared: members.flag('shared', false),
    pin: members.oneOf('pin', ['on', 'off'], 'on'),
  };
}

/** Some tools were to be left out, and it is not known which: such a server stays off. */
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

import type { CredentialPlace, CredentialSave, CredentialStore, ServerCredential } from '@gemini-mcp/core/internal';
import { hostileText } from './hostile-text.ts';
import type { Proof } from './proof.ts';
import type { RecordsHarness } from './records-in-directory.ts';
import type { RecordDamage, StoreFeatures } from './store-features.ts';

export type CredentialStoreHarness = Omit<RecordsHarness<CredentialStore>, 'damage'> & {
  /** Makes the record of a credential unreadable. */
  readonly damage?: (credential: ServerCredential, damage: RecordDamage) => Promise<void>;
  /** A renewer of a process that has ended. */
  readonly ended: () => string;
};

export type CredentialStoreSubject = {
  readonly proof: Proof;
  readonly open: () => Promise<CredentialStoreHarness>;
  readonly features: StoreFeatures;
};

export const signal: AbortSignal = new AbortController().signal;

export const server = 'https://mcp.example.com/mcp';

/** Of the owner and the server of most tests. */
export const place: CredentialPlace = { owner: 'alice', server };

export function credentialOf(fields: Partial<ServerCredential> = {}): ServerCredential {
  return {
    server,
    resource: null,
    issuer: 'https://login.example.com',
    tokenUrl: 'https://login.example.com/token',
    tokenMethods: [],
    revocationUrl: null,
    client: {
      id: 'ours',
      secret: null,
      method: null,
      secretExpiresAtMs: null,
      redirectUri: 'http://127.0.0.1:1/oauth/callback',
      scopes: [],
    },
    serial: 'first-serial',
    tokens: { access: 'an access token', refresh: null, expiresAtMs: null, scopes: [] },
    refusal: null,
    wantedScopes: [],
    renewal: null,
    updatedAtMs: 1_000,
    ...fields,
  };
}

/** One with something in each place. */
export const fullCredential: ServerCredential = credentialOf({
  resource: `${server}/`,
  tokenMethods: ['client_secret_basic', 'none'],
  revocationUrl: 'https://login.example.com/revoke',
  client: {
    id: hostileText,
    secret: ` ${hostileText}\u0000 `,
    method: 'client_secret_post',
    secretExpiresAtMs: 1_800_000_000_123,
    redirectUri: 'http://127.0.0.1:65535/oauth/callback',
    scopes: ['tools', 'Tools', ''],
  },
  tokens: {
    access: `${'a'.repeat(20_000)} `,
    refresh: hostileText,
    expiresAtMs: 1_700_000_000_456,
    scopes: ['write', 'read', 'read'],
  },
  refusal: 'The issuer says "invalid_grant".',
  wantedScopes: ['admin'],
  renewal: { by: 'somebody', sinceMs: 1_699_999_999_999 },
  updatedAtMs: 1_700_000_000_789,
});

/** One that nothing is saved at, where it was not saved. */
export function versionOf(save: CredentialSave): number {
  return save.saved ? save.version : -1;
}

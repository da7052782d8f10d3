import { type CredentialStoreMutant, giving } from './credential-store-mutant.ts';

const textMutants: readonly CredentialStoreMutant[] = [
  giving('loses-secret', 'loses the secret of a client', ({ client }) => ({ client: { ...client, secret: null } })),
  giving('trims-secret', 'drops white space around a secret', ({ client }) => ({
    client: { ...client, secret: client.secret?.trim() ?? null },
  })),
  giving('secret-without-nul', 'drops NUL from a secret', ({ client }) => ({
    client: { ...client, secret: client.secret?.replaceAll('\0', '') ?? null },
  })),
  giving('loses-client-expiry', 'loses when the secret of a client expires', ({ client }) => ({
    client: { ...client, secretExpiresAtMs: null },
  })),
  giving('loses-refresh', 'loses the token that renews', ({ tokens }) => ({ tokens: { ...tokens, refresh: null } })),
  giving('cuts-access', 'keeps 16,000 characters of a token', ({ tokens }) => ({
    tokens: { ...tokens, access: tokens.access.slice(0, 16_000) },
  })),
  giving('trims-access', 'drops white space around a token', ({ tokens }) => ({
    tokens: { ...tokens, access: tokens.access.trim() },
  })),
  giving('rounds-expiry', 'gives the end of a token in whole seconds', ({ tokens }) => ({
    tokens: { ...tokens, expiresAtMs: tokens.expiresAtMs && Math.floor(tokens.expiresAtMs / 1_000) * 1_000 },
  })),
  giving('invents-expiry', 'gives a time to a token that has no end', ({ tokens }) => ({
    tokens: { ...tokens, expiresAtMs: tokens.expiresAtMs ?? 0 },
  })),
  giving('sorts-rights', 'sorts rights, each once', ({ tokens }) => ({
    tokens: { ...tokens, scopes: [...new Set(tokens.scopes)].sort() },
  })),
  giving('loses-refusal', 'loses why tokens are not renewed', () => ({ refusal: null })),
  giving('loses-wanted-rights', 'loses which rights a server asked for', () => ({ wantedScopes: [] })),
  giving('loses-renewal', 'loses who renews the tokens', () => ({ renewal: null })),
  giving('loses-resource', 'loses for what the tokens were asked', () => ({ resource: null })),
  giving('loses-methods', 'loses how the token endpoint wants a client', () => ({ tokenMethods: [] })),
  giving('loses-revocation', 'loses where tokens are revoked', () => ({ revocationUrl: null })),
  giving('loses-serial', 'gives every copy one number', () => ({ serial: 'first-serial-of-all' })),
];

const apartMutants: readonly CredentialStoreMutant[] = [
  { name: 'any-owner', wrong: 'gives the credentials of every owner', points: { ownerOf: () => '' } },
  {
    name: 'owner-without-case',
    wrong: 'takes owners for one that differ only by case',
    points: { ownerOf: (owner) => owner.toLowerCase() },
  },
  { name: 'owner-trimmed', wrong: 'drops white space around an owner', points: { ownerOf: (owner) => owner.trim() } },
  {
    name: 'owner-last-name',
    wrong: 'takes what follows the last slash for the owner',
    points: { ownerOf: (owner) => owner.slice(owner.lastIndexOf('/') + 1) },
  },
  {
    name: 'owner-composed',
    wrong: 'takes owners for one whose accents are composed in different ways',
    points: { ownerOf: (owner) => owner.normalize('NFC') },
  },
  { name: 'any-server', wrong: 'gives the credential of every server', points: { serverOf: () => '' } },
  {
    name: 'server-host',
    wrong: 'takes servers for one by their hosts',
    points: { serverOf: (url) => new URL(url).host },
  },
  {
    name: 'server-origin',
    wrong: 'takes servers for one by their origins',
    points: { serverOf: (url) => new URL(url).origin },
  },
  {
    name: 'server-without-slash',
    wrong: 'drops the slash at the end of a server',
    points: { serverOf: (url) => url.replace(/\/$/, '') },
  },
  {
    name: 'server-without-query',
    wrong: 'drops the query of a server',
    points: { serverOf: (url) => url.replace(/\?.*$/, '') },
  },
  {
    name: 'server-normal',
    wrong: 'takes servers for one by their normal addresses',
    points: { serverOf: (url) => new URL(url).href },
  },
  { name: 'one-issuer', wrong: 'keeps the credential of one issuer', points: { issuerOf: () => '' } },
  {
    name: 'issuer-without-slash',
    wrong: 'drops the slash at the end of an issuer',
    points: { issuerOf: (url) => url.replace(/\/$/, '') },
  },
  {
    name: 'oldest-issuer',
    wrong: 'gives what was changed first',
    points: { isNewer: (a, b) => a.updatedAtMs < b.updatedAtMs },
  },
  { name: 'first-issuer', wrong: 'gives what was saved first', points: { isNewer: () => false } },
  { name: 'last-issuer', wrong: 'gives what was saved last', points: { isNewer: () => true } },
];

const versionMutants: readonly CredentialStoreMutant[] = [
  { name: 'last-save-wins', wrong: 'saves over any version', points: { isNewest: () => true } },
  {
    name: 'zero-replaces',
    wrong: 'saves over what is there where there must be none',
    points: { isNewest: (expected, there) => expected === 0 || expected === there },
  },
  {
    name: 'older-version',
    wrong: 'saves over a version that is newer than the expected one',
    points: { isNewest: (expected, there) => (expected === 0 ? there === 0 : expected <= there) },
  },
  {
    name: 'later-version',
    wrong: 'saves over a version that is older than the expected one',
    points: { isNewest: (expected, there) => (expected === 0 ? there === 0 : expected >= there && there > 0) },
  },
  {
    name: 'creates-again',
    wrong: 'saves over a version where there is none',
    points: { isNewest: (expected, there) => there === 0 || expected === there },
  },
  { name: 'one-version', wrong: 'gives every save one version', points: { nextVersion: () => 1 } },
  {
    name: 'versions-come-back',
    wrong: 'begins to count again after a removal',
    points: { nextVersion: (_, there) => there + 1 },
  },
  {
    name: 'version-told-wrong',
    wrong: 'tells another version than find() has',
    change: (right) => ({
      save: async (owner, kept, signal) => {
        const save = await right.save(owner, kept, signal);
        return save.saved ? { saved: true, version: save.version + 1 } : save;
      },
    }),
  },
  {
    name: 'looks-before-it-waits',
    wrong: 'lets all succeed who save over one version at once',
    change: (right) => ({
      save: async (owner, { credential, expectedVersion }, signal) => {
        const place = { owner, server: credential.server };
        const there = right.at(place).find((one) => one.credential.issuer === credential.issuer && !one.isDamaged);
        await Promise.resolve();
        if ((there?.version ?? 0) !== expectedVersion) {
          return { saved: false, reason: 'conflict' };
        }
        const now = right.at(place).find((one) => one.credential.issuer === credential.issuer && !one.isDamaged);
        return right.save(owner, { credential, expectedVersion: now?.version ?? 0 }, signal);
      },
    }),
  },
];

/** What they lose, take for one, and save over. */
export const credentialStoreMutants: readonly CredentialStoreMutant[] = [
  ...textMutants,
  ...apartMutants,
  ...versionMutants,
];

import { type CredentialStoreMutant, giving } from './credential-store-mutant.ts';

const textMutants: readonly CredentialStoreMutant[] = [
  giving('loses-secret', 'loses the secret of a client', ({ client }) => ({ client: { ...client, secret: null } })),
  giving('invents-expiry', 'gives a time to a token that has no end', ({ tokens }) => ({
    tokens: { ...tokens, expiresAtMs: tokens.expiresAtMs ?? 0 },
  })),
  giving('loses-refusal', 'loses why tokens are not renewed', () => ({ refusal: null })),
];

const apartMutants: readonly CredentialStoreMutant[] = [
  { name: 'any-owner', wrong: 'gives the credentials of every owner', points: { ownerOf: () => '' } },
  { name: 'owner-trimmed', wrong: 'drops white space around an owner', points: { ownerOf: (owner) => owner.trim() } },
  {
    name: 'owner-composed',
    wrong: 'takes owners for one whose accents are composed in different ways',
    points: { ownerOf: (owner) => owner.normalize('NFC') },
  },
  { name: 'any-server', wrong: 'gives the credential of every server', points: { serverOf: () => '' } },
  {
    name: 'server-without-slash',
    wrong: 'drops the slash at the end of a server',
    points: { serverOf: (url) => url.replace(/\/$/, '') },
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
  { name: 'first-issuer', wrong: 'gives what was saved first', points: { isNewer: () => false } },
  { name: 'last-issuer', wrong: 'gives what was saved last', points: { isNewer: () => true } },
];

const versionMutants: readonly CredentialStoreMutant[] = [
  { name: 'last-save-wins', wrong: 'saves over any version', points: { isNewest: () => true } },
  {
    name: 'older-version',
    wrong: 'saves over a version that is newer than the expected one',
    points: { isNewest: (expected, there) => (expected === 0 ? there === 0 : expected <= there) },
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

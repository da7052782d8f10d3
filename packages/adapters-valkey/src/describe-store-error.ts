import { OldStoreError, PasswordError, SilentStoreError } from './valkey-connection.ts';

/** By the first word of the server's refusal. */
const refusals: ReadonlyMap<string, string> = new Map([
  ['WRONGPASS', 'refuses the user or the password: check GEMINI_MCP_STORE and GEMINI_MCP_STORE_PASSWORD_FILE'],
  ['NOAUTH', 'requires a password: set GEMINI_MCP_STORE_PASSWORD_FILE'],
  ['NOPERM', 'does not allow this user what the records need: extend its ACL'],
  ['OOM', 'is full: raise its maxmemory, or delete data'],
  ['READONLY', 'is a read-only replica: name the primary in GEMINI_MCP_STORE'],
  ['MASTERDOWN', 'is a replica without its primary: name the primary in GEMINI_MCP_STORE'],
  ['NOREPLICAS', 'accepts no writes without its replicas: check them'],
  ['MISCONF', 'accepts no writes because it cannot save to its disk: check the disk'],
  ['LOADING', 'is loading its data after a start: try again in a moment'],
  ['BUSY', 'is busy with another script: try again in a moment'],
  ['MOVED', 'is a cluster, which is not supported: name a single server in GEMINI_MCP_STORE'],
  ['WRONGTYPE', 'holds other data under our names: set another GEMINI_MCP_STORE_PREFIX'],
]);

/** By the system's error code. */
const failures: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'is not reachable: check that it runs'],
  ['ENOTFOUND', 'is not reachable: its name has no address'],
  ['EAI_AGAIN', 'is not reachable: its name cannot be looked up now'],
  ['EHOSTUNREACH', 'is not reachable from this machine'],
  ['ENETUNREACH', 'is not reachable from this machine'],
  ['ECONNRESET', 'closed the connection'],
  ['CERT_HAS_EXPIRED', 'has a certificate that has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'has a certificate for another name'],
]);

/** What Redis 7 says of a command inside a script. */
const isOfUser = /^ERR The user executing the script/;

const isOfCertificate = /CERT|SIGNED|SIGNATURE/;

/** Why the store failed, as the end of a sentence for a user. Contains no password, because the address has no password. */
export function describeStoreError(error: unknown, { protocol, host }: URL): string {
  return `the shared store at ${protocol}//${host} ${reasonOf(error)}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof SilentStoreError) {
    return 'did not answer within a second: check its load and the network';
  }
  if (error instanceof OldStoreError) {
    return `is too old (${error.message}): it must be Valkey 8 or later, or Redis 7.0 or later`;
  }
  if (error instanceof PasswordError) {
    return `cannot be logged in to: ${error.message}`;
  }
  const message = error instanceof Error ? error.message : 'no reason given';
  return error instanceof Error && 'code' in error ? failureOf(String(error.code)) : refusalOf(message);
}

function refusalOf(message: string): string {
  const word = isOfUser.test(message) ? 'NOPERM' : (/[A-Z]{3,}(?= )/.exec(message)?.[0] ?? '');
  const refusal = refusals.get(word);
  return refusal === undefined ? `failed (${message.slice(0, 200)})` : `${refusal} (${word})`;
}

function failureOf(code: string): string {
  const failure =
    failures.get(code) ??
    (isOfCertificate.test(code)
      ? 'has a certificate that is not trusted: name its authority in NODE_EXTRA_CA_CERTS'
      : 'failed');
  return `${failure} (${code})`;
}

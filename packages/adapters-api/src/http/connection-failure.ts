import { excerptFrom, type GeminiFailure } from '@gemini-mcp/core';
import { withoutSecret } from '../hide-secret.ts';

/** The configuration is unusable on any network: do not retry. Its message is in our words. */
export class ConnectionSettingsError extends Error {}

/** Node's error codes for a system, not a network, without resources. */
const shortages: Readonly<Record<string, string>> = {
  EMFILE:
    'This program has no free file descriptors (EMFILE). Raise its limit (`ulimit -n`, LimitNOFILE= of systemd), or let fewer calls run at once.',
  ENFILE: 'This machine has no free file descriptors (ENFILE). Close programs, or raise fs.file-max.',
  ENOMEM: 'The system has no memory left for this (ENOMEM). End other programs, or let fewer calls run at once.',
};

/** undici's and Node's codes for an address, or a key, that cannot be sent at all. */
const unusableSettings: readonly string[] = ['UND_ERR_INVALID_ARG', 'ERR_INVALID_URL'];

/** Node's codes (OpenSSL's names) for a certificate of an unknown authority. */
const unknownAuthority: readonly string[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

const authorityAdvice =
  'Node does not know who signed the certificate of that server. If a proxy or a gateway of yours signs it, name the file of its certificate in NODE_EXTRA_CA_CERTS.';

/** Why no response came, or why it broke off. undici's and Node's messages about it contain an address, but no header. */
export function connectionFailure(error: unknown): GeminiFailure {
  const errors = withCauses(error);
  const codes = errors.flatMap(codeOf);
  const [shortage] = codes.flatMap((code) => shortages[code] ?? []);
  if (shortage !== undefined) {
    return { kind: 'resources-exhausted', detail: shortage };
  }
  const said = withoutSecret(errors.map(describe).join(': '), '');
  if (error instanceof ConnectionSettingsError || codes.some((code) => unusableSettings.includes(code))) {
    return { kind: 'configuration', excerpt: excerptFrom(said) };
  }
  const advice = codes.some((code) => unknownAuthority.includes(code)) ? `\n${authorityAdvice}` : '';
  return { kind: 'network', excerpt: excerptFrom(`${said}${advice}`) };
}

function withCauses(error: unknown): readonly unknown[] {
  if (!(error instanceof Error)) {
    return [error];
  }
  // If several addresses failed, the error itself has no message.
  const causes = error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  return [error, ...causes.flatMap(withCauses)];
}

function codeOf(error: unknown): readonly string[] {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? [error.code] : [];
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const [code] = codeOf(error);
  return `${error.message || error.name}${code === undefined || error.message.includes(code) ? '' : ` (${code})`}`;
}

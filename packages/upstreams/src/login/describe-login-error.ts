import { quoteStrangers } from '@gemini-mcp/core/internal';
import { AnswerRefused, EndpointRefused } from './guarded-fetch.ts';
import type { AuthorizationParts } from './load-authorization.ts';
import { LoginProblem } from './login-subject.ts';

const maxQuotedCharacters = 500;

/** A shorter text can be part of any word. */
const minSecretCharacters = 6;

/** Describes a login error in sentences for the user. Removes `secrets`, which were sent to the issuer. */
export function describeLoginError(
  error: unknown,
  parts: AuthorizationParts,
  secrets: readonly (string | null)[] = [],
): string {
  if (error instanceof LoginProblem || error instanceof EndpointRefused || error instanceof AnswerRefused) {
    return error.message;
  }
  if (error instanceof parts.ServerError) {
    return `Its issuer refused${/^HTTP (\d{3})/.exec(error.message)?.[1]?.replace(/^/, ' with the status ') ?? ''}.`;
  }
  if (error instanceof parts.OAuthError) {
    return describeRefusal(error.errorCode, error.message, secrets);
  }
  return error instanceof TypeError
    ? `The issuer of its logins could not be reached${causeOf(error)}.`
    : 'Its login metadata, or that of its issuer, cannot be understood.';
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
}

/** Quotes an issuer's message without `secrets`. Some issuers repeat the token that they reject, and it must not be shown or logged. */
export function describeRefusal(error: string, description: string, secrets: readonly (string | null)[] = []): string {
  const said = [error, description].filter((text) => text !== '').join(': ');
  const known = secrets.flatMap((secret) => (secret !== null && secret.length >= minSecretCharacters ? [secret] : []));
  const hidden = known
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((text, secret) => text.replaceAll(secret, '[hidden]'), said);
  return `Its issuer refused:\n${quoteStrangers(hidden.slice(0, maxQuotedCharacters))}`;
}

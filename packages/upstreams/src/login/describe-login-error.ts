import { quoteStrangers } from '@gemini-mcp/core/internal';
import { AnswerRefused, EndpointRefused } from './guarded-fetch.ts';
import type { AuthorizationParts } from './load-authorization.ts';
import { LoginProblem } from './login-subject.ts';

const maxQuotedCharacters = 500;

/** What is shorter can be a part of any word. */
const minSecretCharacters = 6;

/** An error on the way to a login, in sentences for a user. None of `secrets`, which were sent to the issuer, is in it. */
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
    : 'What it or its issuer says of logins cannot be understood.';
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
}

/** What an issuer wrote, quoted. Some write which token they do not take: what is shown and logged must not have it. */
export function describeRefusal(error: string, description: string, secrets: readonly (string | null)[] = []): string {
  const said = [error, description].filter((text) => text !== '').join(': ');
  const known = secrets.flatMap((secret) => (secret !== null && secret.length >= minSecretCharacters ? [secret] : []));
  const hidden = known
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((text, secret) => text.replaceAll(secret, '[hidden]'), said);
  return `Its issuer refused:\n${quoteStrangers(hidden.slice(0, maxQuotedCharacters))}`;
}

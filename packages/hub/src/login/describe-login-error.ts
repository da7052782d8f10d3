import { quoteStrangers } from '@gemini-mcp/core/internal';
import { AnswerRefused } from './guarded-fetch.ts';
import { EndpointRefused } from './judge-endpoint.ts';
import type { AuthorizationParts } from './load-authorization.ts';
import { LoginProblem } from './login-subject.ts';

const maxQuotedCharacters = 500;

/** An error on the way to a login, in sentences for a user. It has no credential in it. */
export function describeLoginError(error: unknown, parts: AuthorizationParts): string {
  if (error instanceof LoginProblem || error instanceof EndpointRefused || error instanceof AnswerRefused) {
    return error.message;
  }
  if (error instanceof parts.ServerError) {
    return `Its issuer refused${/^HTTP (\d{3})/.exec(error.message)?.[1]?.replace(/^/, ' with the status ') ?? ''}.`;
  }
  if (error instanceof parts.OAuthError) {
    return describeRefusal(error.errorCode, error.message);
  }
  return error instanceof TypeError
    ? `The issuer of its logins could not be reached${causeOf(error)}.`
    : 'What it or its issuer says of logins cannot be understood.';
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
}

/** What an issuer wrote, quoted. */
export function describeRefusal(error: string, description: string): string {
  const said = [error, description].filter((text) => text !== '').join(': ');
  return `Its issuer refused:\n${quoteStrangers(said.slice(0, maxQuotedCharacters))}`;
}

import type { ServerEntry } from '../settings/read-server-entry.ts';
import type { TemplateValues } from '../settings/value-template.ts';

/** A server that may require a login, for one owner. */
export type LoginSubject = {
  readonly entry: ServerEntry;
  /** The server's URL, with every reference filled in. */
  readonly url: string;
  readonly owner: string;
  /** The values for the login settings' references. */
  readonly values: TemplateValues;
};

/** Why a login failed: sentences for the user. Texts of servers and issuers in them are quoted. */
export class LoginProblem extends Error {}

/** The server's address in credentials: the URL without the parts that do not identify the server. */
export function loginAddress(url: string): string {
  const address = new URL(url);
  address.hash = '';
  return address.href;
}

import type { ServerEntry } from '../settings/read-server-entry.ts';
import type { TemplateValues } from '../settings/value-template.ts';

/** A server that may want a login, for one owner. */
export type LoginSubject = {
  readonly entry: ServerEntry;
  /** Of the server, with every reference put in. */
  readonly url: string;
  readonly owner: string;
  /** What the references of the login in the settings lead to. */
  readonly values: TemplateValues;
};

/** A reason why there is no login: sentences for a user. What strangers wrote in them is quoted. */
export class LoginProblem extends Error {}

/** The address of a server as credentials know it: without what is no part of the place that is asked. */
export function loginAddress(url: string): string {
  const address = new URL(url);
  address.hash = '';
  return address.href;
}

import type { McpCaller } from './mcp-caller.ts';

/** The header by which clients of Streamable HTTP repeat what `initialize` has given them. */
const header = 'Mcp-Session-Id';

/** Any visible ASCII, as the protocol has it; longer than what any server gives is not looked at. */
const usable = /^[\x21-\x7e]{1,128}$/;

/** Gives the client that has initialized an id. Nothing of it is kept, so that any server can answer its next request. */
export function nameClient(response: Response): Response {
  if (response.ok) {
    response.headers.set(header, globalThis.crypto.randomUUID());
  }
  return response;
}

/**
 * What tells one client of a principal from another, and from all clients of other principals. Null where the request brings no
 * id that can be used. Whether this server has given the id is not asked.
 */
export function clientKeyOf({ headers }: Request, { owner }: Pick<McpCaller, 'owner'>): string | null {
  const id = headers.get(header);
  return id !== null && usable.test(id) ? JSON.stringify([owner, id]) : null;
}

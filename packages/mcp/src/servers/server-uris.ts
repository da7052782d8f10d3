const scheme = 'gemini://servers/';

/** What a client may be sent of an address: longer ones it could not ask for. */
const maxUriCharacters = 1_000;

/** A resource of another server, by the names that the user gave the server and the server gave the resource. */
export type ServerUri = { readonly server: string; readonly uri: string };

/**
 * The address under which a resource of another server is offered: what follows our prefix is the server's own, character by character, so that
 * a pattern of addresses stays one.
 */
export function offeredUri({ server, uri }: ServerUri): string {
  return `${scheme}${encodeURIComponent(server.replace(/\p{Cs}/gu, '\ufffd'))}/${uri}`;
}

/** The same for an address in a result. Pages of the web stay as they are: a client opens those itself. */
export function offeredLink({ server, uri }: ServerUri): string {
  return /^https?:\/\//i.test(uri) ? uri : offeredUri({ server, uri });
}

/** Whose resource an offered address is; null for every other address. */
export function readOfferedUri(offered: string): ServerUri | null {
  const end = offered.startsWith(scheme) ? offered.indexOf('/', scheme.length) : -1;
  if (end === -1) {
    return null;
  }
  try {
    return { server: decodeURIComponent(offered.slice(scheme.length, end)), uri: offered.slice(end + 1) };
  } catch {
    return null;
  }
}

/** Whether clients can show the address of an offered resource, and ask for it. */
export function isOfferable(offered: string): boolean {
  return offered.length <= maxUriCharacters && /^[!-~]+$/.test(offered);
}

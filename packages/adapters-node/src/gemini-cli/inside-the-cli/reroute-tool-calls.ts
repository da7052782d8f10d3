import { type PreloadPiece, preloadPiece } from './preload.ts';

export type Leading = {
  /** The prefix of placeholder addresses, which lead nowhere by themselves. */
  readonly prefix: string;
  /** The directory of files that map the rest of such an address to its target: `{ "url", "token" }`. */
  readonly directory: string;
};

/**
 * Routes the requests of a session to the tools of its current run. Gemini CLI 0.61.0 keeps the address and the headers of an MCP server
 * for the life of a session; but each message has its own. Without a readable file the request fails.
 */
export function rerouteToolCallsPiece(leading: Leading): PreloadPiece {
  return preloadPiece(rerouteToolCalls, leading);
}

/** Runs inside the CLI, whose transport looks up the global function for each request. */
function rerouteToolCalls(requireModule: NodeJS.Require, { prefix, directory }: Leading): void {
  const { readFileSync }: typeof import('node:fs') = requireModule('node:fs');
  const send = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const name = address.startsWith(prefix) ? address.slice(prefix.length) : '';
    if (!/^[0-9a-f-]{36}$/.test(name)) {
      return await send(input, init);
    }
    const { url, token }: { readonly url: string; readonly token: string } = JSON.parse(
      readFileSync(`${directory}/${name}`, 'utf8'),
    );
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    return await send(url, { ...init, headers });
  };
}

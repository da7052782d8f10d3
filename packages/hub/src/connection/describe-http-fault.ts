/** What a server on the network said in the place of an answer. */
export type HttpFault = {
  /** `out-of-order`: it may answer the same request later. */
  readonly kind: 'refused' | 'out-of-order';
  /** A sentence of ours. */
  readonly sentence: string;
  /** Its own words, as it wrote them; empty where they are a page for browsers, or there are none. */
  readonly said: string;
};

const byStatus: ReadonlyMap<number, string> = new Map([
  [403, 'It refuses access'],
  [404, 'There is no MCP server at its url'],
  [405, 'There is no MCP server at its url'],
  [429, 'It was asked too often'],
  [508, 'It refuses to ask in circles'],
]);

/** Words of the SDK around those of the server. */
const around =
  /^(?:Streamable HTTP error: |SSE error: (?:Non-200 status code \(\d+\))?)?(?:Error POSTing to endpoint(?: \(HTTP \d+\))?: ?)?/;

const redirect = /^Redirect to (\S+) not followed/;

/** Reads the error of a request that was answered with a status that is no success, or with something else than a message. */
export function describeHttpFault(status: number, message: string): HttpFault {
  const said = message.replace(around, '').trim();
  const target = redirect.exec(said)?.[1];
  if (target !== undefined) {
    const sentence = 'It sends requests on to another server. If you trust that one, give its url:';
    return { kind: 'refused', sentence, said: target };
  }
  const contentType = /^Unexpected content type: (.*)$/s.exec(said)?.[1];
  if (contentType !== undefined) {
    return { kind: 'refused', sentence: 'It answered with something else than a message of MCP:', said: contentType };
  }
  const words = byStatus.get(status) ?? (status >= 500 ? 'It is out of order' : 'It refused the request');
  const isPage = said === '' || /^\s*(?:<!doctype|<html|<\?xml)/i.test(said);
  const sentence = `${words} (status ${status})${isPage ? '.' : ':'}`;
  const kind = isPassing(status) ? 'out-of-order' : 'refused';
  return { kind, sentence, said: isPage ? '' : messageIn(said) };
}

/** 501, 505 and 508 say that this request will never be answered. */
function isPassing(status: number): boolean {
  return status === 429 || (status >= 500 && ![501, 505, 508].includes(status));
}

/** Of a body that is an error of JSON-RPC or of REST its message alone: the rest is for programs. */
function messageIn(said: string): string {
  try {
    const body: unknown = JSON.parse(said);
    const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
    const words = typeof error === 'object' && error !== null && 'message' in error ? error.message : null;
    return typeof words === 'string' && words.trim() !== '' ? words : said;
  } catch {
    return said;
  }
}

/** What the system says of a connection that failed, in words where its own are none. */
export function describeNetworkFault(words: string): string {
  if (/wrong version number|packet length too long/.test(words)) {
    return 'it does not speak TLS there: its url may have to begin with http://';
  }
  return words.slice(0, 300);
}

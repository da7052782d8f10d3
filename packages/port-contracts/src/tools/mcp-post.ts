import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { isJsonRecord, type JsonRecord } from '../offline-api/index.ts';

export type McpPost = {
  readonly url: string;
  /** Null for a request without one. */
  readonly token: string | null;
  readonly body: JsonRecord;
  /** Instead of the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
};

/** The response; `message` is null if it is not JSON-RPC. */
export type McpAnswer = { readonly status: number; readonly message: JsonRecord | null };

/** Sends one message of MCP as a client with free choice of headers. Rejects if the connection ends before the answer. */
export async function postMcp(post: McpPost): Promise<McpAnswer> {
  const incoming = await send(post);
  return { status: incoming.statusCode ?? 0, message: messageIn(await text(incoming)) };
}

function send({ url, token, body, headers, method = 'POST' }: McpPost): Promise<IncomingMessage> {
  const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false, headers: { ...usual, ...authorization, ...headers } }, resolve);
    sent.on('error', reject);
    sent.end(method === 'POST' ? JSON.stringify(body) : undefined);
  });
}

/** From a JSON body or a stream of events. */
function messageIn(body: string): JsonRecord | null {
  const data =
    body
      .split('\n')
      .find((line) => line.startsWith('data: '))
      ?.slice('data: '.length) ?? body;
  try {
    const message: unknown = JSON.parse(data);
    return isJsonRecord(message) ? message : null;
  } catch {
    return null;
  }
}

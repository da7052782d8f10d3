import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export type RequestToSend = {
  readonly port: number;
  readonly method?: string;
  /** The target of the request line. */
  readonly target?: string;
  /** Every header line, in this order; nothing is added, not even `Host`. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
};

export type Reply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** Sends requests that browsers and `fetch` cannot send. */
export function sendRequest({
  port,
  method = 'POST',
  target = '/mcp',
  headers = [],
  body,
}: RequestToSend): Promise<Reply> {
  const lines = body === undefined ? headers : [...headers, ['Content-Length', String(Buffer.byteLength(body))]];
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path: target, headers: lines.flat(), agent: false });
    sent.once('error', reject);
    sent.once('response', (response) => {
      text(response).then(
        (read) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read }),
        reject,
      );
    });
    sent.end(body);
  });
}

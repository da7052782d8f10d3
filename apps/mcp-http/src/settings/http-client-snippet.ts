import { shellWord } from '@gemini-mcp/core/internal';
import {
  type ClientName,
  type ClientSnippet,
  clientForms,
  clientNames,
  type HttpEntry,
  shellHeader,
} from '@gemini-mcp/server';

/** What makes a client use this server. Holds the token only where it is given one. */
export function httpClientSnippet(client: HttpClientName, entry: HttpEntry): ClientSnippet {
  return client === 'curl' ? curlSnippet(entry) : clientForms[client].http(entry);
}

function curlSnippet(entry: HttpEntry): ClientSnippet {
  const address = shellWord(new URL('api/gemini-chat', entry.url).href);
  const headers = `-H ${shellHeader(entry)} -H 'Content-Type: application/json' -H 'Accept: text/event-stream'`;
  return {
    text: `curl -N ${address} ${headers} -d '{"prompt": "Say hello"}'\n`,
    place: 'The answer comes in pieces. Without the Accept header it comes whole, as JSON.',
  };
}

export type HttpClientName = ClientName | 'curl';

/** The clients for which `--print-config` of the HTTP server has something. */
export const httpClientNames: readonly HttpClientName[] = [...clientNames, 'curl'];

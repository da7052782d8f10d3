import { type ClientName, clientNames } from '@gemini-mcp/server';

export type HttpClientName = ClientName | 'curl';

/** The clients for which `--print-config` of the HTTP server has something. */
export const httpClientNames: readonly HttpClientName[] = [...clientNames, 'curl'];

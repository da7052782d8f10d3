/** The variable that a server which another one of this kind has started finds in its environment. */
export const hubVariable = 'GEMINI_MCP_STARTED_BY_HUB';

/** The header of requests that such a server sends to other servers: the id of its process. */
export const hubHeader = 'gemini-mcp-hub';

/** By what a server of this kind knows itself again. */
export type HubMark = { readonly id: string };

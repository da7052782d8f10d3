/** What a server answered to a call of a tool (`CallToolResult` of MCP), of which nothing is taken on trust. */
export type ServerResult = {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
};

/** A part of a result: text to read, or media that goes with it. */
export type ResultPart = { readonly text: string } | { readonly mediaType: string; readonly bytes: Uint8Array };

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A part of a result, in MCP's form. It may come from a stranger and claim anything: `makeBlocksSafe` checks it before a client
 * gets it.
 */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'audio';
      /** Base64. */
      readonly data: string;
      /** The sender's claim. Clients get the type that the bytes show. */
      readonly mimeType: string;
    }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      /** For programs. */
      readonly name: string;
      /** For people. */
      readonly title?: string | undefined;
      readonly description?: string | undefined;
      readonly mimeType?: string | undefined;
      /** In bytes. */
      readonly size?: number | undefined;
    }
  | { readonly type: 'resource'; readonly resource: EmbeddedResource };

/** A resource that is sent whole: as text, or as bytes in Base64. */
export type EmbeddedResource = { readonly uri: string; readonly mimeType?: string | undefined } & (
  | { readonly text: string }
  | { readonly blob: string }
);

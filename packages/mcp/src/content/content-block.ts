/**
 * A part of a result, as MCP has them. It may come from a stranger, and may claim anything: before a client gets it, `makeBlocksSafe` has
 * looked at it.
 */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'audio';
      /** Base64. */
      readonly data: string;
      /** Clients are told the type that the bytes have. */
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

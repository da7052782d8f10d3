import type { RunRequest } from '@gemini-mcp/core';

/**
 * Comes before every message, so that none begins with what the CLI takes for a command (`/` and `$`, blanks before them or
 * not): it looks at the beginning of the texts up to the first part that is none.
 */
export const messageHeader =
  'This request comes through gemini-mcp-server. The next text is the request, word for word.\n';

type PromptPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string };

/**
 * A request as the parts of a prompt. The message is a part of its own, which Gemini CLI 0.61.0 passes on as it is; an
 * embedded resource it would rewrite. Media of any type go as images: it passes their type on as well.
 */
export function promptParts({ input, media = [] }: RunRequest): readonly PromptPart[] {
  return [
    { type: 'text', text: messageHeader },
    ...media.map(({ mediaType, bytes }) => ({
      type: 'image' as const,
      mimeType: mediaType,
      data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    })),
    { type: 'text', text: input },
  ];
}

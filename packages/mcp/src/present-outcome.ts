import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ContentBlock } from './content/content-block.ts';
import type { ToolOutcome } from './tool.ts';

/** An outcome as the result of a call: a block with what Gemini wrote, one with our words, then the others. Never without any. */
export function presentOutcome({ answer, text, isError, blocks = [], structured, meta }: ToolOutcome): CallToolResult {
  const said: readonly ContentBlock[] = [
    ...(answer === undefined ? [] : [{ type: 'text', text: answer } as const]),
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...blocks,
  ];
  const content: readonly ContentBlock[] = said.length === 0 ? [{ type: 'text', text }] : said;
  return {
    content: content.map((block) => ({ ...block })),
    ...(isError && { isError: true }),
    ...(structured !== undefined && { structuredContent: { ...structured } }),
    ...(meta !== undefined && { _meta: { ...meta } }),
  };
}

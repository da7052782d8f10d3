import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ContentBlock } from './content/content-block.ts';
import type { ToolOutcome } from './tool.ts';

/** An outcome as the result of a call. Its text is the first block, unless there are others and it is empty. */
export function presentOutcome({ text, isError, blocks = [], structured, meta }: ToolOutcome): CallToolResult {
  const content: readonly ContentBlock[] =
    text === '' && blocks.length > 0 ? blocks : [{ type: 'text', text }, ...blocks];
  return {
    content: content.map((block) => ({ ...block })),
    ...(isError && { isError: true }),
    ...(structured !== undefined && { structuredContent: { ...structured } }),
    ...(meta !== undefined && { _meta: { ...meta } }),
  };
}

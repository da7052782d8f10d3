import type { ContentBlock } from '@gemini-mcp/mcp';
import * as z from 'zod';

const uri = z.string();
const base64 = z.string().meta({ contentEncoding: 'base64' });
const mimeType = z.string();

const block = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({ type: z.enum(['image', 'audio']), data: base64, mimeType }),
    z.object({
      type: z.literal('resource_link'),
      uri,
      name: z.string(),
      title: z.string().optional(),
      description: z.string().optional(),
      mimeType: mimeType.optional(),
      size: z.int().min(0).optional().describe('In bytes.'),
    }),
    z.object({
      type: z.literal('resource'),
      resource: z.union([
        z.object({ uri, mimeType: mimeType.optional(), text: z.string() }),
        z.object({ uri, mimeType: mimeType.optional(), blob: base64 }),
      ]),
    }),
  ])
  .meta({ id: 'Block', description: 'A part of a result in addition to its text, as MCP has them.' });

/** What a tool returns in addition to its text, as it is documented. */
export const blockSchema: z.ZodType<ContentBlock> = block;

import * as z from 'zod';
import type { ContentBlock } from './content-block.ts';

let built: z.ZodType<ContentBlock> | null = null;

/** The form of a block. What else comes with it, such as icons and `_meta`, is left out. */
export function blockSchema(): z.ZodType<ContentBlock> {
  built ??= buildSchema();
  return built;
}

/** Not when the module is loaded: most results are one text. */
function buildSchema(): z.ZodType<ContentBlock> {
  const text = z.string();
  const optionalText = text.optional().catch(undefined);

  return z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text }),
    z.object({ type: z.enum(['image', 'audio']), data: text, mimeType: text.catch('') }),
    z.object({
      type: z.literal('resource_link'),
      uri: text,
      name: text,
      title: optionalText,
      description: optionalText,
      mimeType: optionalText,
      size: z.int().min(0).optional().catch(undefined),
    }),
    z.object({
      type: z.literal('resource'),
      resource: z.union([
        z.object({ uri: text, mimeType: optionalText, text }),
        z.object({ uri: text, mimeType: optionalText, blob: text }),
      ]),
    }),
  ]);
}

import { formatCount, utf8Length } from '@gemini-mcp/core/internal';
import { blockSchema } from './block-schema.ts';
import { type CheckedBlock, type CheckOptions, checkBlock } from './check-block.ts';
import type { ContentBlock } from './content-block.ts';
import { ContentBudget } from './content-budget.ts';
import { contentLimits } from './content-limits.ts';

export type SafeBlocksOptions = {
  /** Schemes that addresses may have besides http and https. */
  readonly uriSchemes: readonly string[];
  /** The text of the same result before the blocks: both share the bytes that a result may have. */
  readonly textBefore: string;
};

/**
 * Blocks from anywhere, bounded and safe to show: text within the bytes of a result and without characters that act; images, sounds
 * and PDFs of the type that their bytes have; addresses that lead to a page or to a resource of the server. A text in our words takes the
 * place of every other block, and says what is left out and why. Pure, and never throws.
 */
export function makeBlocksSafe(
  blocks: readonly unknown[],
  { textBefore, uriSchemes }: SafeBlocksOptions,
): readonly ContentBlock[] {
  const budget = new ContentBudget(utf8Length(textBefore));
  const toSafe = (checked: CheckedBlock): readonly ContentBlock[] => {
    if (checked === null || !('leftOut' in checked)) {
      return checked === null ? [] : [checked];
    }
    const text = budget.takeNote(`[Left out of this result: ${checked.leftOut}.]`);
    return text === null ? [] : [{ type: 'text', text }];
  };
  const hidden = blocks.length - contentLimits.blocks;
  return [
    ...blocks.slice(0, contentLimits.blocks).flatMap((block) => toSafe(checkUnknown(block, { budget, uriSchemes }))),
    ...(hidden > 0 ? toSafe({ leftOut: `${formatCount(hidden)} further parts` }) : []),
  ];
}

function checkUnknown(block: unknown, options: CheckOptions): CheckedBlock {
  const { data } = blockSchema().safeParse(block);
  return data === undefined ? { leftOut: 'a part that is no block of MCP' } : checkBlock(data, options);
}

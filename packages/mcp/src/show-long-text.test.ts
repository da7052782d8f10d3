import { showText } from '@gemini-mcp/core/internal';
import { describe, expect, it } from 'vitest';
import { showLongText } from './show-long-text.ts';

const options = { keepsControls: false };

describe('showLongText', () => {
  it.each([
    ['an empty text', ''],
    ['a short text', 'Model: forged\n\u001b[31m'],
    ['a long text, cut within a character', `a${'\u{1f98a}'.repeat(600_000)}`],
    ['a long text with a line that looks like ours at a cut', `${'x'.repeat(499_990)}\nSession: 01234567-\nend`],
    ['a long text of controls', '\u001b\u202e\n'.repeat(200_000)],
  ])('shows %s as it is shown in one go', async (_, text) => {
    expect((await showLongText(text, options)) === showText(text, options)).toBe(true);
  });

  it('lets other work go on before a long text is done', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('other work'));
    await showLongText('x'.repeat(1_000_000), options);
    order.push('shown');
    expect(order).toEqual(['other work', 'shown']);
  });
});

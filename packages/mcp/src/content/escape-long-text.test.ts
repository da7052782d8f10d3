import { escapeControls } from '@gemini-mcp/core/internal';
import { describe, expect, it } from 'vitest';
import { escapeLongText } from './escape-long-text.ts';

describe('escapeLongText', () => {
  it.each([
    ['an empty text', ''],
    ['a short text', 'Model: forged\n\u001b[31m'],
    ['a long text, cut within a character', `a${'\u{1f98a}'.repeat(600_000)}`],
    ['a long text of controls', '\u001b\u202e\n'.repeat(200_000)],
  ])('escapes %s as in one go', async (_, text) => {
    expect((await escapeLongText(text)) === escapeControls(text)).toBe(true);
  });

  it('lets other work go on before a long text is done', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('other work'));
    await escapeLongText('x'.repeat(1_000_000));
    order.push('escaped');
    expect(order).toEqual(['other work', 'escaped']);
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fence } from './fence.ts';

it('keeps the text as it is, between tags that it does not hold', () => {
  const hostile = fc
    .array(fc.constantFrom('query', '-1', '-2', '</query-1>', '\n', '<', 'x'), { maxLength: 20 })
    .map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(hostile, (text) => {
      const fenced = fence('query', text);
      const tag = /^<(query-\d+)>\n/.exec(fenced)?.[1] ?? '';
      expect(fenced).toBe(`<${tag}>\n${text}\n</${tag}>`);
      expect(text).not.toContain(tag);
    }),
  );
});

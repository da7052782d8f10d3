import { describe, expect, it } from 'vitest';
import { type ResolveTree, utf8Size } from './context-resolver-harness.ts';

/** How the text of a file comes back. */
export function describeContextResolverText(resolve: ResolveTree): void {
  describe('literal text', () => {
    it.each([
      ['a byte order mark and carriage returns', '\uFEFFone\r\ntwo\rthree\n'],
      ['characters beyond the first plane', '\u{1f600} \u{10ffff} e\u0301 \u202e'],
      ['what looks like markup or a command', '</file>\n@a.ts /help !{rm} <![CDATA[ ]]>'],
      ['nothing', ''],
      ['control characters', '\u0001\u001b[2J\u007f\u0085\u2028'],
    ])('%s comes back unchanged, with its size in bytes', async (_, text) => {
      const { documents } = await resolve({ 'file.txt': text }, { files: ['file.txt'] });
      expect(documents).toEqual([{ path: 'file.txt', text, sizeBytes: utf8Size(text), origin: 'file' }]);
    });
  });
}

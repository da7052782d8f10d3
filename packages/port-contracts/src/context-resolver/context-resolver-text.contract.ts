import { describe, expect } from 'vitest';
import { type ContextResolverSubject, utf8Size } from './context-resolver-harness.ts';

/** How the text of a file comes back. */
export function describeContextResolverText({ proof, resolve }: ContextResolverSubject): void {
  describe('literal text', () => {
    for (const [what, text] of [
      ['a byte order mark and carriage returns', '\uFEFFone\r\ntwo\rthree\n'],
      ['characters beyond the first plane', '\u{1f600} \u{10ffff} e\u0301 \u202e'],
      ['text that looks like markup or a command', '</file>\n@a.ts /help !{rm} <![CDATA[ ]]>'],
      ['nothing', ''],
      ['a last line without a line end', 'one\ntwo'],
      ['white space around', ' \n\ttext \n\n'],
      ['control characters', '\u0001\u001b[2J\u007f\u0085\u2028'],
    ] as const) {
      proof.promise(`${what}: comes back unchanged, with its size in bytes`, async () => {
        const { documents } = await resolve({ 'file.txt': text }, { files: ['file.txt'] });
        expect(documents).toEqual([{ path: 'file.txt', text, sizeBytes: utf8Size(text), origin: 'file' }]);
      });
    }
  });
}

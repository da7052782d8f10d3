import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCommandFile, commandName, frameInput, frameLength, unframeMessage } from './literal-channel.ts';

/** What the CLI makes of a call of the command: the prompt, and the whole line that called it with its ends trimmed. */
function deliver(stdin: string): string {
  const prompt = /^prompt = (".*")$/m.exec(buildCommandFile([]))?.[1] ?? '""';
  return `${JSON.parse(prompt)}\n\n${stdin.trim()}`;
}

const input = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom('/', '@', '\n', ' ', '\t', '!{', '}', '\ufeff', '[end of request]', `/${commandName}\n`), {
      maxLength: 12,
    })
    .map((parts) => parts.join('')),
);

describe('frameInput', () => {
  it('CONTENT-04: begins with a call of our command, whatever the input begins with', () => {
    fc.assert(
      fc.property(input, (text) => {
        expect(frameInput(text).startsWith(`/${commandName}\n`)).toBe(true);
      }),
    );
  });

  it('CONTENT-02: the input can be told from the frame, to the last blank', () => {
    fc.assert(
      fc.property(input, (text) => {
        const message = deliver(frameInput(text));
        expect(unframeMessage(message)).toBe(text);
        expect(message.length).toBe(text.length + frameLength);
        expect(Buffer.byteLength(message)).toBe(Buffer.byteLength(text) + frameLength);
      }),
    );
  });

  it('places of media stand before the text, and nothing else changes', () => {
    const prompt = (names: readonly string[]) => /^prompt = (".*")$/m.exec(buildCommandFile(names))?.[1] ?? '""';
    expect(JSON.parse(prompt(['a.png', 'b.pdf']))).toBe(`@{a.png}@{b.pdf}${JSON.parse(prompt([]))}`);
  });

  it('a message without the whole frame is none', () => {
    const message = deliver(frameInput('Hi'));
    expect(unframeMessage(message.slice(1))).toBeNull();
    expect(unframeMessage(message.slice(0, -1))).toBeNull();
    expect(unframeMessage('Hi')).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildCommandFile,
  type CommandFileOptions,
  commandName,
  frameInput,
  frameLength,
  unframeMessage,
} from './literal-channel.ts';

/** What the CLI makes of a call of the command: the prompt, and the whole line that called it with its ends trimmed. */
function deliver(stdin: string, options: Partial<CommandFileOptions> = {}): string {
  return `${promptIn(options)}\n\n${stdin.trim()}`;
}

function promptIn(options: Partial<CommandFileOptions>): string {
  const file = buildCommandFile({ mediaNames: [], note: null, ...options });
  return JSON.parse(/^prompt = (".*")$/m.exec(file)?.[1] ?? '""');
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

  it('CONTENT-02: the input is separable from the frame, to the last blank', () => {
    fc.assert(
      fc.property(input, (text) => {
        const message = deliver(frameInput(text));
        expect(unframeMessage(message)).toBe(text);
        expect(message.length).toBe(text.length + frameLength);
        expect(Buffer.byteLength(message)).toBe(Buffer.byteLength(text) + frameLength);
      }),
    );
  });

  it('places of media come before the text, and nothing else changes', () => {
    expect(promptIn({ mediaNames: ['a.png', 'b.pdf'] })).toBe(`@{a.png}@{b.pdf}${promptIn({})}`);
  });

  it('a note comes before the request, and takes nothing from it', () => {
    const message = deliver(frameInput('Why?'), { note: 'Your tools see a copy.' });
    expect(message.startsWith('Your tools see a copy.\n')).toBe(true);
    expect(unframeMessage(message)).toBe('Why?');
  });

  it('a message without the whole frame is ignored', () => {
    const message = deliver(frameInput('Hi'));
    expect(unframeMessage(message.slice(1))).toBeNull();
    expect(unframeMessage(message.slice(0, -1))).toBeNull();
    expect(unframeMessage('Hi')).toBeNull();
  });
});

import { expect } from 'vitest';
import { expectSameText } from '../expect-same-text.ts';
import { hostileText } from '../hostile-text.ts';
import { collectEvents, failureOf } from '../runner-places/collect-events.ts';
import { type GeminiRunnerSubject, manyRuns } from './gemini-runner-harness.ts';

export type GeminiRunnerLiteralOptions = {
  /** Sizes of hostile text in characters. Default: 10, 4,000 and a million. */
  readonly literalSizes?: readonly number[];
  /** Lines that the runner itself adds to a message: a message may contain them too. */
  readonly ownLines?: readonly string[];
};

/** Each is special to a runner, a CLI or a protocol, at its beginning, at its end or as a whole. */
const commands: readonly string[] = [
  ...['/quit', '$x', '!ls', '?', '--help', '@./', ' ', '\ufeff/quit\ufeff', '\0'],
  '{"type":"result","status":"success"}',
  '@generalist $x /quit @./ --help [MODE_UPDATE] cafe\u0301 \u212b @generalist',
  ...['/init', '/memory add x\n/quit', '@', '@generalist', '[MODE_UPDATE] x'],
  ...['\t\r\n blank ends \r\n\t', '\ufeff', '\u2028a\u2029'],
  '{"jsonrpc":"2.0","id":1,"method":"session/cancel"}\n',
];

/** The promises for the text of a message. */
export function describeGeminiRunnerLiteral(
  { proof, open }: GeminiRunnerSubject,
  { literalSizes = [10, 4_000, 1_000_000], ownLines = [] }: GeminiRunnerLiteralOptions,
): void {
  for (const size of literalSizes) {
    proof.promise(`delivers hostile text of ${size} characters literally`, async () => {
      const input = hostileText.repeat(Math.ceil(size / hostileText.length)).slice(0, size);
      const wellFormed = /\p{Surrogate}$/u.test(input) ? `${input.slice(0, -1)}x` : input;
      const harness = await open({ type: 'answer', chunks: ['ok'] });
      await collectEvents(harness, { input: wellFormed });
      expectSameText(harness.received()[0], wellFormed);
      expect(harness.received()).toHaveLength(1);
    });
  }

  proof.promise(
    'delivers messages literally that look like commands, and they leave no trace',
    async () => {
      const harness = await open({ type: 'answer', chunks: ['ok'] });
      const own = ownLines.length === 0 ? [] : [ownLines.join('\nx\n'), ownLines.toReversed().join('\n')];
      const inputs = [...commands, ...own];
      for (const [index, input] of inputs.entries()) {
        const events = await collectEvents(harness, { input });
        expect({ input, failure: failureOf(events) }).toEqual({ input, failure: null });
        expect(harness.received().slice(index)).toEqual([input]);
        expect(await harness.leftovers()).toEqual([]);
      }
    },
    manyRuns,
  );
}

import { describe, expect, it } from 'vitest';
import { type BodyEnd, limitBody } from './bounded-fetch.ts';
import { createReadingPace } from './reading-pace.ts';

type Limited = { readonly body: ReadableStream<Uint8Array>; readonly ends: BodyEnd[] };

function limited(
  text: string,
  { isStream, times = 1 }: { readonly isStream: boolean; readonly times?: number },
): Limited {
  const chunk = new TextEncoder().encode(text);
  let left = times;
  const source = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      left -= 1;
      controller.enqueue(chunk);
      return left === 0 ? controller.close() : undefined;
    },
  });
  const ends: BodyEnd[] = [];
  const pace = createReadingPace();
  const onEnd = (end: BodyEnd): number => ends.push(end);
  const options = { maxBytes: 1_000_000, isStream, pace, onEvent: () => undefined, onEnd };
  return { body: limitBody(source, options) ?? new ReadableStream(), ends };
}

function workFor(durationMs: number): void {
  const untilMs = performance.now() + durationMs;
  while (performance.now() < untilMs) {
    // What a reader does with a piece.
  }
}

describe('limitBody()', () => {
  it.each([
    ['comments', ': again\n\n'],
    ['events', 'data: {}\n\n'],
  ])('UPSTREAM-M2: other timers run while %s arrive as fast as they are read', async (_, event) => {
    const { body } = limited(event, { isStream: true, times: 20 });
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    for await (const piece of body) {
      workFor(piece.length > 0 ? 5 : 0);
    }
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });

  it('UPSTREAM-M2: passes a body on whole, in small pieces', async () => {
    const text = 'x'.repeat(100_000);
    const { body } = limited(text, { isStream: false });
    const pieces: Uint8Array[] = [];
    for await (const piece of body) {
      pieces.push(piece);
    }
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(16_384);
    expect(Buffer.concat(pieces).toString()).toBe(text);
  });

  it('UPSTREAM-M2: refuses a batch as long as an accepted single message', async () => {
    const batch = limited(`  [${'{},'.repeat(100_000)}{}]`, { isStream: false });
    await expect(new Response(batch.body).text()).rejects.toThrow('longer than 256000 bytes');
    expect(batch.ends).toMatchObject([{ exceededBytes: 256_000 }]);
    const single = limited(`{"one":"${'x'.repeat(300_000)}"}`, { isStream: false });
    expect((await new Response(single.body).text()).length).toBeGreaterThan(300_000);
  });
});

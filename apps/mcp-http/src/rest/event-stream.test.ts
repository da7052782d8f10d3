import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import { EventStream } from './answer-with-events.ts';

const piece = { type: 'stdout', content: 'x'.repeat(100) } as const;
const close = { type: 'close', content: 'Process exited with code 1' } as const;

class Scene {
  readonly clock = new FakeClock();
  cuts = 0;
  readonly stream: EventStream;

  constructor(maxUnsentCharacters = 1_000) {
    const cut = (): void => {
      this.cuts += 1;
    };
    this.stream = new EventStream({ clock: this.clock, cut, maxUnsentCharacters });
  }
}

describe('EventStream', () => {
  it('drops a reader who reads nothing, keeps no more than its bound, and still gives the reason', async () => {
    const { stream } = new Scene();
    for (let index = 0; index < 1_000; index += 1) {
      stream.send(piece);
    }
    expect([stream.isOverrun, stream.lost.aborted]).toEqual([true, true]);
    stream.end([close]);
    const text = await new Response(stream.body).text();
    expect(text.length).toBeLessThan(1_400);
    expect(text).toMatch(/code 1"\}\n\n$/);
  });

  it('sends any amount to a reader who takes it', async () => {
    const { stream } = new Scene();
    const reader = stream.body.getReader();
    for (let index = 0; index < 1_000; index += 1) {
      stream.send(piece);
      await reader.read();
    }
    expect(stream.isOverrun).toBe(false);
    await reader.cancel();
  });

  it('sends a last event of any size', async () => {
    const { stream } = new Scene();
    stream.end([{ type: 'stdout', content: 'x'.repeat(10_000) }, close]);
    expect((await new Response(stream.body).text()).length).toBeGreaterThan(10_000);
    expect(stream.isOverrun).toBe(false);
  });

  it('cuts the connection of a reader who does not read the end', async () => {
    const scene = new Scene();
    scene.stream.end([close]);
    await scene.clock.advance(29_999);
    expect(scene.cuts).toBe(0);
    await scene.clock.advance(1);
    expect(scene.cuts).toBe(1);
  });

  it('cuts nothing that was read, and leaves no timer', async () => {
    const scene = new Scene();
    scene.stream.end([close]);
    await new Response(scene.stream.body).text();
    await scene.clock.advance(60_000);
    expect([scene.cuts, scene.clock.sleeping]).toEqual([0, 0]);
  });

  it('is lost when its reader disconnects, waiting or not', async () => {
    for (const isWaiting of [true, false]) {
      const { stream, clock } = new Scene();
      const reader = stream.body.getReader();
      const waiting = isWaiting ? reader.read() : null;
      await reader.cancel();
      expect(stream.lost.aborted).toBe(true);
      expect((await waiting)?.done ?? true).toBe(true);
      stream.send(piece);
      stream.end([close]);
      await clock.advance(60_000);
      expect(clock.sleeping).toBe(0);
    }
  });

  it('adds no keep-alive to unread events', async () => {
    const { stream, clock } = new Scene();
    stream.send(piece);
    await clock.advance(60_000);
    stream.end([close]);
    expect(await new Response(stream.body).text()).not.toContain('keep-alive');
  });
});

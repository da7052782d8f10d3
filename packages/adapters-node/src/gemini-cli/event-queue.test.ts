import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { EventQueue } from './event-queue.ts';

async function collect(queue: EventQueue<number>): Promise<readonly number[]> {
  const values: number[] = [];
  for await (const value of queue) {
    values.push(value);
  }
  return values;
}

describe('EventQueue', () => {
  it('hands on what came before and while it is consumed, in order, and then ends', async () => {
    const queue = new EventQueue<number>();
    queue.push(1, 2);
    const collected = collect(queue);
    await nextTurn();
    queue.push(3);
    queue.push();
    queue.push(4);
    await nextTurn();
    queue.push(5);
    queue.close();
    expect(await collected).toEqual([1, 2, 3, 4, 5]);
  });

  it('hands on what came before it was closed, also when no reader was there', async () => {
    const queue = new EventQueue<number>();
    queue.push(1);
    queue.close();
    expect(await collect(queue)).toEqual([1]);
    expect(await collect(queue)).toEqual([]);
  });

  it('takes what comes while its consumer is busy', async () => {
    const queue = new EventQueue<number>();
    const values: number[] = [];
    queue.push(1);
    for await (const value of queue) {
      values.push(value);
      await nextTurn();
      if (value < 4) {
        queue.push(value + 1);
      } else {
        queue.close();
      }
    }
    expect(values).toEqual([1, 2, 3, 4]);
  });
});

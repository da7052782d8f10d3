import { describe, expect, it } from 'vitest';
import { guardStream } from './guard-stream.ts';

type Source = {
  readonly response: Response;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly cancelled: unknown[];
};

function createSource(type = 'text/event-stream; charset=utf-8'): Source {
  const cancelled: unknown[] = [];
  let started: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      started = controller;
    },
    cancel: (reason) => {
      cancelled.push(reason);
    },
  });
  if (started === undefined) {
    throw new Error('A stream starts as it is made');
  }
  const response = new Response(body, { status: 202, headers: { 'Content-Type': type, 'X-Kept': 'yes' } });
  return { response, controller: started, cancelled };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('guardStream', () => {
  it('passes on what comes, and the end', async () => {
    const { response, controller } = createSource();
    const errors: unknown[] = [];
    const guarded = guardStream(response, (error) => errors.push(error));
    controller.enqueue(bytes('one '));
    controller.enqueue(bytes('two'));
    controller.close();
    expect([guarded.status, guarded.headers.get('X-Kept'), await guarded.text()]).toEqual([202, 'yes', 'one two']);
    expect(errors).toEqual([]);
  });

  it('reads nothing ahead of whoever reads it', async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulled += 1;
          controller.enqueue(bytes('x'));
        },
      },
      { highWaterMark: 0 },
    );
    const reader = guardStream(
      new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }),
      () => undefined,
    ).body?.getReader();
    await reader?.read();
    await reader?.read();
    expect(pulled).toBe(2);
  });

  it('tells of an error in the middle, and whoever reads hears nothing more', async () => {
    const { response, controller } = createSource();
    let tell: (error: unknown) => void = () => undefined;
    const told = new Promise((resolve) => {
      tell = resolve;
    });
    const reader = guardStream(response, tell).body?.getReader();
    controller.enqueue(bytes('one'));
    await reader?.read();
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
    };
    void reader?.read().then(settle, settle);
    controller.error(new Error('broken'));
    expect(await told).toMatchObject({ message: 'broken' });
    expect(isSettled).toBe(false);
  });

  it('passes a cancel on, which is no error', async () => {
    const { response, cancelled } = createSource();
    const errors: unknown[] = [];
    const reader = guardStream(response, (error) => errors.push(error)).body?.getReader();
    const reading = reader?.read();
    await reader?.cancel('gone');
    await reading;
    expect([cancelled, errors]).toEqual([['gone'], []]);
  });

  it.each([
    ['no stream of events', createSource('application/json').response],
    ['empty', new Response(null, { status: 204 })],
  ])('leaves a response as it is that is %s', (_, response) => {
    expect(guardStream(response, () => undefined)).toBe(response);
  });
});

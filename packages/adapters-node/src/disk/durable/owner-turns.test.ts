import { expect, it } from 'vitest';
import { OwnerTurns } from './owner-turns.ts';

it('SHARE-06: runs the work of an owner one at a time, whether it succeeds or fails, without blocking others', async () => {
  const turns = new OwnerTurns();
  const begun: string[] = [];
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const work = (name: string, end: () => Promise<string>) => (): Promise<string> => {
    begun.push(name);
    return end();
  };
  const first = turns.take(
    'alice',
    work('first', () => gate.then(() => Promise.reject(new Error('broken')))),
  );
  const second = turns.take(
    'alice',
    work('second', () => Promise.resolve('done')),
  );
  expect(
    await turns.take(
      'bob',
      work('other', () => Promise.resolve('done')),
    ),
  ).toBe('done');
  expect(begun).toEqual(['first', 'other']);
  open();
  await expect(first).rejects.toThrow('broken');
  expect(await second).toBe('done');
  expect(begun).toEqual(['first', 'other', 'second']);
});

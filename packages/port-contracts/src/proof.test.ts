import { describe, expect, it } from 'vitest';
import { Proof } from './proof.ts';

type Printer = { readonly print: (text: string, copies: readonly number[]) => Promise<string> };

const wrong: Printer = { print: async (text) => text.toUpperCase() };

async function failureOf(proof: Proof, title: string, body: () => Promise<void>): Promise<unknown> {
  return proof.check(title, body).then(
    () => 'no failure',
    (error) => error,
  );
}

describe('a broken promise', () => {
  it('is reported with the adapter, its calls, their results, and the fault', async () => {
    const proof = new Proof({ subject: 'Printer "mine"' });
    const printer = proof.watch(wrong);
    const failure = await failureOf(proof, 'prints what it gets', async () => {
      proof.note('two sheets of paper');
      expect(await printer.print('a', [1, 2])).toBe('a');
    });
    expect(failure).toMatchObject({ actual: 'A', expected: 'a' });
    expect(String(failure)).toBe(
      [
        'AssertionError: Printer "mine" breaks a promise: prints what it gets',
        'Calls and their results:',
        '  two sheets of paper',
        '  print("a", [1, 2]) → "A"',
        "Cause: expected 'A' to be 'a' // Object.is equality",
      ].join('\n'),
    );
  });

  it('is reported within the deadline if the adapter never answers, with the hanging call', async () => {
    const proof = new Proof({ subject: 'Printer "mine"', deadlineMs: 5 });
    const printer = proof.watch<Printer>({ print: () => new Promise(() => undefined) });
    const failure = await failureOf(proof, 'prints in time', async () => {
      await printer.print('a', []);
    });
    expect(String(failure)).toContain('prints in time');
    expect(String(failure)).toContain('print("a", []) → still waiting');
    expect(String(failure)).toContain('nothing came within 5 ms');
  });

  it('shows long inputs shortened, with their lengths', async () => {
    const proof = new Proof({ subject: 'Printer "mine"' });
    const printer = proof.watch(wrong);
    const failure = await failureOf(proof, 'prints all', async () => {
      expect(
        await printer.print(
          'x'.repeat(200_000),
          Array.from({ length: 50 }, () => 1),
        ),
      ).toHaveLength(1);
    });
    expect(String(failure)).toContain('… (200000 characters), [1, 1, 1, 1, 1, 1, 1, 1, … and 42 more]');
  });

  it('shows a rejection with a value other than an error', async () => {
    const proof = new Proof({ subject: 'Printer "mine"' });
    const printer = proof.watch<Printer>({ print: () => Promise.reject('out of paper') });
    const failure = await failureOf(proof, 'prints', async () => {
      await printer.print('a', []);
    });
    expect(String(failure)).toContain('print("a", []) → rejected with "out of paper"');
  });

  it('shows the steps of a stream, the first and the last, and the awaited one', async () => {
    const proof = new Proof({ subject: 'Printer "mine"', deadlineMs: 5 });
    const printer = proof.watch({
      async *printPages(): AsyncGenerator<number> {
        yield* [1, 2, 3, 4, 5, 6, 7, 8, 9];
        await new Promise(() => undefined);
      },
    });
    const failure = await failureOf(proof, 'prints all', async () => {
      for await (const page of printer.printPages()) {
        expect(page).toBeLessThan(10);
      }
    });
    expect(String(failure)).toContain('printPages() → 1, 2, 3, 4, … 1 more …, 6, 7, 8, 9, still waiting');
  });

  it('shows how a stream ended: by itself, by its reader or by an error', async () => {
    const proof = new Proof({ subject: 'Printer "mine"' });
    const printer = proof.watch({
      async *printPages(isBroken: boolean): AsyncGenerator<number> {
        yield 1;
        if (isBroken) {
          throw new Error('out of paper');
        }
      },
    });
    const failure = await failureOf(proof, 'prints all', async () => {
      for await (const page of printer.printPages(false)) {
        expect(page).toBe(1);
      }
      for await (const page of printer.printPages(false)) {
        expect(page).toBe(1);
        break;
      }
      await printer.printPages(true)[Symbol.asyncIterator]().next();
      for await (const page of printer.printPages(true)) {
        expect(page).toBe(1);
      }
    });
    expect(String(failure)).toContain('printPages(false) → 1, and that was all');
    expect(String(failure)).toContain('printPages(false) → 1, and no more was wanted');
    expect(String(failure)).toContain('printPages(true) → 1, still waiting');
    expect(String(failure)).toContain('printPages(true) → 1, then rejected with Error: "out of paper"');
    expect(String(failure)).toContain('Cause: out of paper');
  });

  it('shows only the calls of its own test', async () => {
    const proof = new Proof({ subject: 'Printer "mine"' });
    const printer = proof.watch(wrong);
    await proof.check('one', async () => {
      await printer.print('first', []);
    });
    const failure = await failureOf(proof, 'two', async () => {
      expect(await printer.print('second', [])).toBe('');
    });
    expect(String(failure)).not.toContain('first');
  });
});

it('a test without anything to check is skipped, and breaks no promise', async () => {
  const proof = new Proof({ subject: 'Printer "mine"' });
  const failure = await failureOf(proof, 'prints in colour', async () => proof.skip('declares no colour'));
  expect(String(failure)).toBe('Error: declares no colour');
});

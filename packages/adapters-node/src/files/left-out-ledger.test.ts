import { describe, expect, it } from 'vitest';
import { LeftOutLedger } from './left-out-ledger.ts';

describe('LeftOutLedger', () => {
  it('lists what was named without limit', () => {
    const ledger = new LeftOutLedger();
    for (let index = 0; index < 2_000; index += 1) {
      ledger.addNamed(`f${index}`, 'file', { reason: 'not-found', detail: 'ENOENT' });
    }
    expect(ledger.entries()).toHaveLength(2_000);
    expect(ledger.entries()[0]).toEqual({ path: 'f0', reason: 'not-found', origin: 'file', detail: 'ENOENT' });
  });

  it('of what was found, counts what goes beyond a thousand for one reason by where it came from', () => {
    const ledger = new LeftOutLedger();
    for (let index = 0; index < 1_003; index += 1) {
      ledger.addFound(`a/f${index}`, 'directory', 'a', { reason: 'binary', detail: 'PNG' });
    }
    ledger.addFound('b/f', 'directory', 'b', { reason: 'binary' });
    ledger.addFound('b/g', 'directory', 'b', { reason: 'sensitive' });
    ledger.addFound('c/h', 'glob', 'c/*', { reason: 'binary' });
    expect(ledger.entries()).toHaveLength(1_004);
    expect(ledger.entries().slice(1_000)).toEqual([
      { path: 'b/g', reason: 'sensitive', origin: 'directory' },
      { path: 'c/h', reason: 'binary', origin: 'glob' },
      { path: 'a', reason: 'binary', origin: 'directory', detail: 'and 3 more' },
      { path: 'b', reason: 'binary', origin: 'directory', detail: 'and 1 more' },
    ]);
  });
});

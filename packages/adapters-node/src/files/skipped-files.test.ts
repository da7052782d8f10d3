import { describe, expect, it } from 'vitest';
import { SkippedFiles } from './skipped-files.ts';

describe('SkippedFiles', () => {
  it('lists named files without limit', () => {
    const skipped = new SkippedFiles();
    for (let index = 0; index < 2_000; index += 1) {
      skipped.addNamed(`f${index}`, 'file', { reason: 'not-found', detail: 'ENOENT' });
    }
    expect(skipped.entries()).toHaveLength(2_000);
    expect(skipped.entries()[0]).toEqual({ path: 'f0', reason: 'not-found', origin: 'file', detail: 'ENOENT' });
  });

  it('lists a thousand found files for each reason, and counts the rest by source', () => {
    const skipped = new SkippedFiles();
    for (let index = 0; index < 1_003; index += 1) {
      skipped.addFound(`a/f${index}`, 'directory', 'a', { reason: 'binary', detail: 'PNG' });
    }
    skipped.addFound('b/f', 'directory', 'b', { reason: 'binary' });
    skipped.addFound('b/g', 'directory', 'b', { reason: 'sensitive' });
    skipped.addFound('c/h', 'glob', 'c/*', { reason: 'binary' });
    expect(skipped.entries()).toHaveLength(1_004);
    expect(skipped.entries().slice(1_000)).toEqual([
      { path: 'b/g', reason: 'sensitive', origin: 'directory' },
      { path: 'c/h', reason: 'binary', origin: 'glob' },
      { path: 'a', reason: 'binary', origin: 'directory', detail: 'and 3 more' },
      { path: 'b', reason: 'binary', origin: 'directory', detail: 'and 1 more' },
    ]);
  });
});

import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWhole, ScratchBuffer } from './read-whole.ts';

describe('readWhole', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'read-'));
  });

  afterEach(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  /** The text, or the refusal, of a file that was `sizeBytes` long when it was inspected. */
  function read(content: string, sizeBytes: number, scratch = new ScratchBuffer()): string {
    const path = join(directory, 'file');
    writeFileSync(path, content);
    const descriptor = openSync(path, 'r');
    try {
      const result = readWhole(descriptor, sizeBytes, scratch);
      return result.ok ? result.bytes.toString() : `${result.reason}: ${result.detail}`;
    } finally {
      closeSync(descriptor);
    }
  }

  it('reads a file of the expected size, however large and however often', () => {
    const scratch = new ScratchBuffer();
    const large = 'abcdefg'.repeat(100_000);
    expect(read('abc', 3, scratch)).toBe('abc');
    expect(read(large, large.length, scratch)).toBe(large);
    expect(read('', 0, scratch)).toBe('');
    expect(read('xyz', 3, scratch)).toBe('xyz');
  });

  it('refuses a file that grew or shrank, rather than cut it', () => {
    expect(read('abcd', 3)).toBe('unreadable: its size changed while it was being read');
    expect(read('ab', 3)).toBe('unreadable: its size changed while it was being read');
    expect(read('a', 0)).toBe('unreadable: its size changed while it was being read');
  });

  it('refuses a file that cannot be read', () => {
    const descriptor = openSync(directory, 'r');
    try {
      expect(readWhole(descriptor, 1, new ScratchBuffer())).toMatchObject({ ok: false, detail: 'EISDIR' });
    } finally {
      closeSync(descriptor);
    }
  });
});

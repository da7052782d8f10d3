import { linkSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DirectoryCopySource, type SourceReading, type SourceState } from './directory-copy-source.ts';

let from: string;

beforeEach(() => {
  from = realpathSync(mkdtempSync(join(tmpdir(), 'directory-copy-source-')));
  writeFileSync(join(from, 'a.txt'), 'a');
});

afterEach(() => {
  rmSync(from, { recursive: true });
});

/** Reads so long after now. */
function read(name: string, passedMs: number, known?: SourceState): SourceReading {
  const clock = new FakeClock(Date.now() + passedMs);
  const source = DirectoryCopySource.open({
    clock,
    from,
    roots: [from],
    privateDirectories: [],
    maxFiles: 10,
    maxFileBytes: 10,
  });
  if (source === null) {
    throw new Error('There is no such directory.');
  }
  try {
    return source.read({ absolutePath: join(from, name), displayPath: name }, known);
  } finally {
    source.close();
  }
}

function stateOf(reading: SourceReading): SourceState | undefined {
  return reading.kind === 'read' ? reading.state : undefined;
}

// Where the kernel gives each change that follows a look a time of its own, no change of files shows this.
describe('DirectoryCopySource.read', () => {
  it.each([
    ['reads again what it read a moment after a change', 0, 'read'],
    ['takes what it read long after a change for unchanged', 60_000, 'unchanged'],
  ])('%s', (_, passedMs, kind) => {
    symlinkSync('a.txt', join(from, 'link'));
    for (const name of ['a.txt', 'link']) {
      const state = stateOf(read(name, passedMs));
      expect(read(name, 60_000, state)).toMatchObject({ kind, sizeBytes: 1 });
    }
  });

  it('reads another file of the same size and contents', () => {
    const state = stateOf(read('a.txt', 60_000));
    writeFileSync(join(from, 'other.txt'), 'a');
    renameSync(join(from, 'other.txt'), join(from, 'a.txt'));
    expect(read('a.txt', 60_000, state).kind).toBe('read');
  });

  it('reads a file that has a further name now', () => {
    const state = stateOf(read('a.txt', 60_000));
    linkSync(join(from, 'a.txt'), join(from, 'twin.txt'));
    expect(read('a.txt', 60_000, state).kind).toBe('read');
    expect(read('twin.txt', 60_000, stateOf(read('a.txt', 60_000))).kind).toBe('read');
  });
});

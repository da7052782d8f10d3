import type { Entry, EntryPlace } from '@gemini-mcp/upstreams';
import { describe, expect, it } from 'vitest';
import { digestOfText, planEntry, planUndo, type WrittenEntry } from './plan-entry.ts';

const place: EntryPlace = { format: 'json', path: ['mcpServers', 'gemini'] };
const entry: Entry = { command: 'node', args: ['/new.cjs'] };
const old: Entry = { command: 'node', args: ['/old.cjs'] };

const holding = (there: unknown): string => JSON.stringify({ mcpServers: { other: { command: 'x' }, gemini: there } });

const writtenAs = (there: Entry, further: Partial<WrittenEntry> = {}): WrittenEntry => ({
  ...{ wanted: there, entry: there, previous: null, digest: digestOfText(holding(there)), existed: true },
  ...further,
});

describe('planEntry', () => {
  const plan = (text: string | null, written: WrittenEntry | null = null, replaces = false) =>
    planEntry(text, { place, entry, written, replaces });

  it.each([
    ['a missing file', null, null, 'add'],
    ['an empty file', '', null, 'add'],
    ['other servers', '{"mcpServers": {"other": {}}}', null, 'add'],
    ['the same entry', holding(entry), null, 'unchanged'],
    [
      'our entry with defaults of the client',
      holding({ ...entry, env: {} }),
      writtenAs({ ...entry, env: {} }, { wanted: entry }),
      'unchanged',
    ],
    ['our older entry', holding(old), writtenAs(old), 'update'],
    ['our older entry, changed by hand', holding({ ...old, timeout: 5 }), writtenAs(old), 'kept'],
    ['an entry that setup did not write', holding(old), null, 'kept'],
    ['damaged settings', '{', null, 'failed'],
    ['a list in place of the servers', '{"mcpServers": []}', null, 'failed'],
  ] as const)('with %s: %s', (_, text, written, type) => {
    expect(plan(text, written).type).toBe(type);
  });

  it('replaces an entry of someone else only if asked to, and remembers it', () => {
    expect(plan(holding(old), null, true)).toMatchObject({ type: 'replace', previous: old });
    expect(plan(holding({ ...old, timeout: 5 }), writtenAs(old), true)).toMatchObject({ type: 'replace' });
  });

  it('remembers the first entry over later updates', () => {
    const theirs = { command: 'theirs' };
    expect(plan(holding(old), writtenAs(old, { previous: theirs }))).toMatchObject({
      type: 'update',
      previous: theirs,
    });
  });
});

describe('planUndo', () => {
  const undo = (text: string | null, written: WrittenEntry, backup: string | null = null) =>
    planUndo(text, { place, written, backup });

  it('restores every byte if the file is as it was written', () => {
    expect(undo(holding(entry), writtenAs(entry), '{ }\n')).toEqual({ type: 'restore', text: '{ }\n' });
    expect(undo(holding(entry), writtenAs(entry, { existed: false }))).toEqual({ type: 'restore', text: null });
  });

  it('takes the entry out, or puts back the one before, if other settings have changed', () => {
    const changed = holding(entry).replace('"x"', '"y"');
    const removed = undo(changed, writtenAs(entry), '{}');
    expect(removed).toMatchObject({ type: 'remove' });
    expect('text' in removed && JSON.parse(removed.text ?? '')).toEqual({ mcpServers: { other: { command: 'y' } } });
    const back = undo(changed, writtenAs(entry, { previous: old }), '{}');
    expect('text' in back && JSON.parse(back.text ?? '').mcpServers.gemini).toEqual(old);
  });

  it('keeps an entry changed by hand, and finds nothing to do without one', () => {
    expect(undo(holding({ ...entry, timeout: 5 }), writtenAs(entry))).toEqual({ type: 'kept' });
    expect(undo('{}', writtenAs(entry))).toEqual({ type: 'gone' });
    expect(undo(null, writtenAs(entry))).toEqual({ type: 'gone' });
    expect(undo('{', writtenAs(entry)).type).toBe('failed');
  });
});

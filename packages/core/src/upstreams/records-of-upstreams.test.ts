import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../json/canonical-json.ts';
import type { RecordStore } from '../ports/record-store.ts';
import type { ServerLists } from '../ports/upstreams/server-lists.ts';
import { InMemoryRecordStore } from '../records/in-memory-record-store.ts';
import { sha256 as digestOfBytes, utf8 } from '../testing/sha256.ts';
import { ListRecords } from './list-records.ts';
import { PinRecords } from './pin-records.ts';
import { ProjectApprovals } from './project-approvals.ts';
import type { ToolPin } from './tool-pin.ts';

const signal = new AbortController().signal;
const aborted = AbortSignal.abort(new Error('stopped'));
const sha256 = (text: string): string => digestOfBytes(utf8(text));
const pinOf = (tool: string, definition = 'one'): ToolPin => ({ tool, digest: 'c'.repeat(64), definition });

/** As JSON has it: a literal would set the prototype. */
const hostileProperties: unknown = JSON.parse('{ "__proto__": { "type": "string" }, "constructor": { "const": 1 } }');

const lists: ServerLists = {
  tools: ['write file', '__proto__', ' look', '\u0000\ud83d'].map((name) => ({
    name,
    title: null,
    description: `Does ${name}`,
    inputSchema: { type: 'object', properties: hostileProperties },
    outputSchema: null,
    annotations: { readOnlyHint: false, title: null },
  })),
  prompts: [
    { name: 'review', title: 'R', description: '', arguments: [{ name: 'path', description: '', isRequired: true }] },
  ],
  resources: [{ uri: 'file:///{path}', isTemplate: true, name: 'a', title: null, description: '', mediaType: null }],
  instructions: 'Use it well.\r\n',
  leftOut: ['The tool "x" has no schema.', ''],
  takenAtMs: 1_700_000_000_123,
};

/** A store that can neither read nor write. */
const broken: RecordStore = {
  get: () => Promise.reject(new Error('The stored data cannot be read: the disk failed (EIO).')),
  put: async () => ({ saved: false, reason: 'unavailable', detail: 'the disk is full' }),
  list: () => Promise.reject(new Error('The records cannot be read.')),
  delete: async () => ({ deleted: false, reason: 'unavailable', detail: 'the disk is full' }),
  owners: () => Promise.reject(new Error('The records cannot be read.')),
  watch: () => new Promise(() => undefined),
};

/** One whose records are all damaged. */
function damagedRecords(): RecordStore {
  const store = new InMemoryRecordStore();
  return {
    get: async () => 'damaged',
    put: (record, own) => store.put(record, own),
    list: async () => [],
    delete: (place, own) => store.delete(place, own),
    owners: async () => [],
    watch: (place, version, own) => store.watch(place, version, own),
  };
}

describe('ListRecords', () => {
  it('gives lists back whole and in their order, each under its key, until others take their place', async () => {
    const kept = new ListRecords(new InMemoryRecordStore(), sha256);
    expect(await kept.load('key', signal)).toBeNull();
    await kept.save('key', lists, signal);
    await kept.save('Key', { ...lists, tools: [] }, signal);
    expect(canonicalJson(await kept.load('key', signal))).toBe(canonicalJson(lists));
    await kept.save('key', { ...lists, takenAtMs: 0 }, signal);
    expect((await kept.load('key', signal))?.takenAtMs).toBe(0);
    expect((await kept.load('Key', signal))?.tools).toEqual([]);
  });

  it('has nothing, and rejects nothing, if records are damaged, out of reach, or the call is aborted', async () => {
    for (const records of [damagedRecords(), broken]) {
      const kept = new ListRecords(records, sha256);
      await kept.save('key', lists, signal);
      expect(await kept.load('key', signal)).toBeNull();
    }
    const kept = new ListRecords(new InMemoryRecordStore(), sha256);
    await kept.save('key', lists, aborted);
    expect(await kept.load('key', aborted)).toBeNull();
    expect(await kept.load('key', signal)).toBeNull();
  });
});

describe('PinRecords', () => {
  it('distinguishes an unseen server from one without tools, and keys by every character', async () => {
    const pins = new PinRecords(new InMemoryRecordStore(), sha256);
    expect(await pins.load('key', signal)).toBeNull();
    expect(await pins.add('key', [], signal)).toBeNull();
    expect(await pins.load('key', signal)).toEqual([]);
    expect(await pins.load('key ', signal)).toBeNull();
  });

  it('loses none of many that are added at once, by two instances, and the last of a tool counts', async () => {
    const records = new InMemoryRecordStore();
    const instances = [new PinRecords(records, sha256), new PinRecords(records, sha256)];
    const tools = Array.from({ length: 40 }, (_, index) => `tool-${index}`);
    await Promise.all(tools.map((tool, index) => instances[index % 2]?.add('key', [pinOf(tool)], signal)));
    await instances[0]?.add('key', [pinOf('tool-7', ' \u0000\ud83d ')], signal);
    const kept = (await instances[1]?.load('key', signal)) ?? [];
    expect(kept.map(({ tool }) => tool).sort()).toEqual(tools.sort());
    expect(kept.find(({ tool }) => tool === 'tool-7')).toEqual(pinOf('tool-7', ' \u0000\ud83d '));
  });

  it('is empty, and not never seen, if records are damaged, out of reach, or the call is aborted', async () => {
    expect(await new PinRecords(damagedRecords(), sha256).load('key', signal)).toEqual([]);
    const pins = new PinRecords(broken, sha256);
    expect(await pins.load('key', signal)).toEqual([]);
    expect(await pins.add('key', [pinOf('look')], signal)).toBe(
      'The approved tools could not be saved: The stored data cannot be read: the disk failed (EIO).',
    );
    const whole = new PinRecords(new InMemoryRecordStore(), sha256);
    expect(await whole.add('key', [pinOf('look')], aborted)).toMatch(/could not be saved: the call was cancelled\.$/);
    expect(await whole.load('key', aborted)).toEqual([]);
    expect(await whole.load('key', signal)).toBeNull();
  });
});

describe('ProjectApprovals', () => {
  it('holds for one content in one place', async () => {
    const records = new InMemoryRecordStore();
    const approvals = new ProjectApprovals(records, sha256);
    const settings = { directory: '/home/ada/project', digest: 'd'.repeat(64) };
    expect(await approvals.isApproved(settings)).toBe(false);
    expect([await approvals.approve(settings, 5), await approvals.approve(settings, 6)]).toEqual([null, null]);
    expect(await new ProjectApprovals(records, sha256).isApproved(settings)).toBe(true);
    expect(await approvals.isApproved({ ...settings, digest: 'e'.repeat(64) })).toBe(false);
    expect(await approvals.isApproved({ ...settings, directory: '/home/ada/other' })).toBe(false);
  });

  it('approves nothing that cannot be read, and says why an approval cannot be kept', async () => {
    const settings = { directory: '/home/ada/project', digest: 'd'.repeat(64) };
    for (const records of [damagedRecords(), broken]) {
      expect(await new ProjectApprovals(records, sha256).isApproved(settings)).toBe(false);
    }
    expect(await new ProjectApprovals(broken, sha256).approve(settings, 5)).toBe(
      'The approval could not be kept: the disk is full.',
    );
  });
});

import { changingKinds, movingPlaces, neverAborted, type RecordStoreMutant } from './record-store-mutant.ts';

/** Mutants of keys, sizes, bounds and endings. */
export const recordPlaceMutants: readonly RecordStoreMutant[] = [
  {
    name: 'text-without-nul',
    wrong: 'drops NUL from a text',
    change: ({ right }) => ({
      put: (record, signal) => right.put({ ...record, text: record.text.replaceAll('\0', '') }, signal),
    }),
  },
  {
    name: 'remembers-missing',
    wrong: 'never looks again for a record that it did not find',
    change: ({ right }) => {
      const missing = new Set<string>();
      return {
        put: (record, signal) => {
          missing.delete(record.key);
          return right.put(record, signal);
        },
        get: async (place, signal) => {
          const found = missing.has(place.key) ? null : await right.get(place, signal);
          if (found === null && place.owner === 'alice' && place.key === 'first') {
            missing.add(place.key);
          }
          return found;
        },
      };
    },
  },
  {
    name: 'one-put-at-a-time',
    wrong: 'refuses a put while another one runs',
    change: ({ right, memory }) => ({
      put: async (record, signal) => {
        signal.throwIfAborted();
        const putting = memory.get('putting');
        if (putting !== undefined && putting !== record.key.length * 1_000 + record.key.charCodeAt(4)) {
          return { saved: false, reason: 'unavailable', detail: 'it is busy' };
        }
        memory.set('putting', record.key.length * 1_000 + record.key.charCodeAt(4));
        await Promise.resolve();
        memory.delete('putting');
        return right.put(record, signal);
      },
    }),
  },
  {
    name: 'owners-without-case',
    wrong: 'confuses owners whose names differ only by case',
    ...movingPlaces((place) => ({ ...place, owner: place.owner.toLowerCase() })),
  },
  {
    name: 'kind-up-to-dash',
    wrong: 'takes the text before a dash for the name of a kind',
    ...changingKinds((kind) => ({ ...kind, name: kind.name.split('-')[0] ?? '' })),
  },
  {
    name: 'keys-of-127',
    wrong: 'confuses keys that differ only in the 128th character',
    ...movingPlaces((place) =>
      'key' in place && String(place.key).length === 128 ? { ...place, key: String(place.key).slice(1) } : place,
    ),
  },
  {
    name: 'keys-with-underscores',
    wrong: 'stores keys with underscores for other characters',
    change: ({ right }) => ({
      put: (record, signal) => right.put({ ...record, key: record.key.replaceAll('_', '-') }, signal),
    }),
  },
  {
    name: 'no-limit',
    wrong: 'lists all records, whatever the limit',
    change: ({ right }) => ({ list: (of, _, signal) => right.list(of, Number.MAX_SAFE_INTEGER, signal) }),
  },
  {
    name: 'ties-by-chance',
    wrong: 'lists records of one time in another order in each instance',
    change: ({ right, memory }) => {
      const instance = memory.get('instances') ?? 0;
      memory.set('instances', instance + 1);
      return {
        list: async (of, limit, signal) => {
          const listed = await right.list(of, limit, signal);
          const isTie = listed.map(({ key }) => key).join('') === 'abcd';
          return isTie && instance % 2 === 1 ? listed.toReversed() : listed;
        },
      };
    },
  },
  {
    name: 'sizes-in-characters',
    wrong: 'counts sizes in UTF-16 units',
    change: ({ right }) => ({
      list: async (of, limit, signal) => {
        const listed = await right.list(of, limit, signal);
        return listed.map((record) => ({ ...record, bytes: record.bytes === 9 ? 4 : record.bytes }));
      },
    }),
  },
  {
    name: 'no-owner-count',
    wrong: 'keeps any number of records of an owner',
    ...changingKinds((kind) => (kind.whenFull === 'refuse' ? kind : { ...kind, maxRecordsOfOwner: 1_000_000 })),
  },
  {
    name: 'no-total',
    wrong: 'has no bound for all owners together',
    ...changingKinds((kind) => ({ ...kind, maxBytes: Number.MAX_SAFE_INTEGER })),
  },
  {
    name: 'a-byte-too-much',
    wrong: 'keeps records that are one byte too large',
    ...changingKinds((kind) => ({ ...kind, maxBytesOfRecord: kind.maxBytesOfRecord + 1 })),
  },
  {
    name: 'cuts-summaries',
    wrong: 'keeps 16,000 characters of a summary',
    change: ({ right }) => ({
      put: (record, signal) => right.put({ ...record, summary: record.summary.slice(0, 16_000) }, signal),
    }),
  },
  {
    name: 'never-refuses',
    wrong: 'removes old records of a kind that should refuse new ones',
    ...changingKinds((kind) => ({ ...kind, whenFull: 'remove-oldest' })),
  },
  {
    name: 'expires-late',
    wrong: 'keeps a record one millisecond too long',
    ...changingKinds((kind) => ({ ...kind, maxAgeMs: kind.maxAgeMs === null ? null : kind.maxAgeMs + 1 })),
  },
  {
    name: 'later-format-is-missing',
    wrong: 'takes a record of a later format for missing',
    change: ({ right }) => ({
      get: async (place, signal) => {
        const found = await right.get(place, signal);
        return found === 'damaged' && right.damageOf(place) === 'later-format' ? null : found;
      },
    }),
  },
  {
    name: 'deletes-in-vain',
    wrong: 'reports a record as missing when it cannot delete it',
    change: ({ right }) => ({
      delete: async (place, signal) =>
        right.isBroken ? { deleted: false, reason: 'unknown' } : await right.delete(place, signal),
    }),
  },
  {
    name: 'empty-when-broken',
    wrong: 'lists nothing when it cannot read the directory',
    change: ({ right }) => ({
      list: async (of, limit, signal) => (right.isBroken ? [] : await right.list(of, limit, signal)),
    }),
  },
  {
    name: 'get-ignores-abort',
    wrong: 'gets a record though the signal is aborted',
    change: ({ right }) => ({ get: (place) => right.get(place, neverAborted) }),
  },
  {
    name: 'list-ignores-abort',
    wrong: 'lists records though the signal is aborted',
    change: ({ right }) => ({ list: (of, limit) => right.list(of, limit, neverAborted) }),
  },
  {
    name: 'owners-ignores-abort',
    wrong: 'lists owners though the signal is aborted',
    change: ({ right }) => ({ owners: (kind) => right.owners(kind, neverAborted) }),
  },
  {
    name: 'delete-ignores-abort',
    wrong: 'deletes a record though the signal is aborted',
    change: ({ right }) => ({ delete: (place) => right.delete(place, neverAborted) }),
  },
  {
    name: 'leaves-listener',
    wrong: 'leaves a listener on the signal of a listing',
    change: ({ right }) => ({
      list: (of, limit, signal) => {
        signal.addEventListener('abort', () => undefined, { once: true });
        return right.list(of, limit, signal);
      },
    }),
  },
];

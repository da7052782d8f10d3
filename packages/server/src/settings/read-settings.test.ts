import { expect, it } from 'vitest';
import { readSettings, setting } from './setting.ts';
import * as types from './value-types.ts';

const shared = { group: 'A group', description: 'What it means.' };

const table = {
  doors: setting({ ...shared, variable: 'DOORS', flag: 'doors', type: types.wholeNumber('<n>', 1, 9), default: 2 }),
  graceMs: setting({ ...shared, variable: 'GRACE', flag: 'grace', type: types.seconds(0, 60), default: 5_000 }),
  names: setting({ ...shared, variable: 'NAMES', flag: 'names', type: types.directories, default: [] }),
  isOpen: setting({ ...shared, variable: 'OPEN', flag: 'open', type: types.onOrOff, default: true }),
  place: setting({ ...shared, variable: 'PLACE', flag: null, type: types.absolutePath('<dir>'), default: null }),
  model: setting({
    ...shared,
    variable: 'MODEL',
    flag: 'model',
    type: types.text('<model>'),
    default: null,
    shownDefault: 'the newest',
  }),
};

it('reads the declared defaults, and shows them as one would give them', () => {
  const values = readSettings(table, { environment: {} });
  expect(values).toEqual({ doors: 2, graceMs: 5_000, names: [], isOpen: true, place: null, model: null });
  expect(Object.values(table).map(({ shownDefault }) => shownDefault)).toEqual([
    '`2`',
    '`5`',
    'none',
    '`1`',
    'none',
    'the newest',
  ]);
});

it('reads the given values, flags first', () => {
  const environment = { DOORS: '3', GRACE: '7', OPEN: '0', PLACE: '/a/b' };
  const values = readSettings(table, { environment, flags: new Map([['doors', '4']]) });
  expect(values).toMatchObject({ doors: 4, graceMs: 7_000, isOpen: false, place: '/a/b' });
});

it('ignores a flag for a setting without a flag', () => {
  const flags = new Map([['null', '/x']]);
  expect(readSettings(table, { environment: {}, flags }).place).toBeNull();
});

it('builds no schema for a setting that is not set', () => {
  const unread = { ...table.doors, schema: () => expect.unreachable('a schema was built') };
  expect(readSettings({ unread }, { environment: { DOORS: '' } })).toEqual({ unread: 2 });
});

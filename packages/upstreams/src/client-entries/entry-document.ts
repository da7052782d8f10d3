import { isDeepStrictEqual } from 'node:util';
import { getNodeValue } from 'jsonc-parser';
import { parse as parseToml, stringify as stringifyToml, TomlError } from 'smol-toml';
import { parseDocument } from 'yaml';
import { parseSettings, removeSetting, setSetting } from '../settings/edit/settings-document.ts';
import { putTomlTable } from './put-toml-table.ts';

/** Where a client's settings hold the entry of a server. */
export type EntryPlace = {
  /** `yaml`: the last name is that of an element in a list, which has it as `name`. */
  readonly format: 'json' | 'toml' | 'yaml';
  /** The names from the top of the file to the entry. */
  readonly path: readonly [section: string, name: string];
};

export type Entry = Readonly<Record<string, unknown>>;

/** Settings of a client as values, or the reason why they cannot be read, as the rest of a sentence that begins with the path. */
export type EntryRead =
  /** `entry`: undefined if missing. */
  { readonly ok: true; readonly entry: unknown } | { readonly ok: false; readonly problem: string };

export type EntryEdited =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

type Values = Readonly<Record<string, unknown>>;

/** Reads the entry of a server in the settings of a client. An empty text holds no entry. */
export function readEntry(text: string, place: EntryPlace): EntryRead {
  const read = readValues(text, place);
  return 'problem' in read ? { ok: false, problem: read.problem } : { ok: true, entry: entryIn(read.values, place) };
}

/**
 * Sets or removes (null) the entry of a server. Comments and everything else stay as they were: the result is read again, and refused if any
 * other value has changed.
 */
export function editEntry(text: string, place: EntryPlace, entry: Entry | null): EntryEdited {
  const before = readValues(text, place);
  if ('problem' in before) {
    return { ok: false, problem: before.problem };
  }
  const edited = editText(text, place, entry);
  const after = edited === null ? null : readValues(edited, place);
  if (
    edited === null ||
    after === null ||
    'problem' in after ||
    !isOnlyChange(before.values, after.values, place, entry)
  ) {
    const [section, name] = place.path;
    return { ok: false, problem: `has a form in which ${section}.${name} cannot be changed safely` };
  }
  return { ok: true, text: edited };
}

function editText(text: string, place: EntryPlace, entry: Entry | null): string | null {
  switch (place.format) {
    case 'json': {
      const whole = text.trim() === '' ? '{}\n' : text;
      return entry === null ? removeSetting(whole, place.path) : setSetting(whole, place.path, entry);
    }
    case 'toml': {
      const [section, name] = place.path;
      return putTomlTable(text, place.path, entry === null ? null : stringifyToml({ [section]: { [name]: entry } }));
    }
    case 'yaml':
      return editYaml(text, place, entry);
  }
}

function editYaml(text: string, { path: [section, name] }: EntryPlace, entry: Entry | null): string | null {
  const document = parseDocument(text);
  const list = listIn(document.toJS() ?? {}, section);
  if (list === null) {
    return null;
  }
  const index = list.findIndex((each) => nameOf(each) === name);
  if (entry === null) {
    document.deleteIn([section, index]);
  } else if (index >= 0) {
    document.setIn([section, index], document.createNode(entry));
  } else if (list.length === 0) {
    document.set(section, document.createNode([entry]));
  } else {
    document.addIn([section], document.createNode(entry));
  }
  return document.toString({ lineWidth: 0 });
}

/** Everything but the entry is the same, and the entry is the wanted one. */
function isOnlyChange(before: Values, after: Values, place: EntryPlace, entry: Entry | null): boolean {
  const found = entryIn(after, place);
  const isWanted = entry === null ? found === undefined : isDeepStrictEqual(plain(found), plain(entry));
  return isWanted && isDeepStrictEqual(plain(withoutEntry(before, place)), plain(withoutEntry(after, place)));
}

/** An empty section counts as none. */
function withoutEntry(values: Values, place: EntryPlace): unknown {
  const { format, path } = place;
  const [section, name] = path;
  const others = Object.entries(values).filter(([each]) => each !== section);
  const held = values[section];
  const rest =
    format === 'yaml'
      ? (listIn(values, section) ?? []).filter((each) => nameOf(each) !== name)
      : Object.entries(isObject(held) ? held : {}).filter(([each]) => each !== name);
  return [others, rest];
}

/** Without the prototypes and symbols of the parsers. */
function plain(value: unknown): unknown {
  return value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one)));
}

function entryIn(values: Values, { format, path: [section, name] }: EntryPlace): unknown {
  const held = values[section];
  if (format === 'yaml') {
    return listIn(values, section)?.find((each) => nameOf(each) === name);
  }
  return isObject(held) && Object.hasOwn(held, name) ? held[name] : undefined;
}

/** Null if something other than a list has the name. */
function listIn(values: Values, section: string): readonly unknown[] | null {
  const held = values[section] ?? [];
  return Array.isArray(held) ? held : null;
}

function nameOf(entry: unknown): unknown {
  return isObject(entry) ? entry['name'] : undefined;
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type ValuesRead = { readonly values: Values } | { readonly problem: string };

function readValues(text: string, { format }: EntryPlace): ValuesRead {
  if (text.trim() === '') {
    return { values: {} };
  }
  switch (format) {
    case 'json': {
      const root = parseSettings(text)?.root;
      return root === undefined ? { problem: 'is not valid JSON' } : objectOf(getNodeValue(root));
    }
    case 'toml':
      return readToml(text);
    case 'yaml':
      return readYaml(text);
  }
}

function readToml(text: string): ValuesRead {
  try {
    return objectOf(parseToml(text, { integersAsBigInt: 'asNeeded' }));
  } catch (error) {
    return { problem: `is not valid TOML${error instanceof TomlError ? `: look at line ${error.line}` : ''}` };
  }
}

function readYaml(text: string): ValuesRead {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) {
    return { problem: `is not valid YAML: look at line ${error.linePos?.[0].line ?? 1}` };
  }
  try {
    return objectOf(document.toJS());
  } catch {
    return { problem: 'has aliases that make it too large' };
  }
}

function objectOf(value: unknown): ValuesRead {
  return isObject(value) ? { values: value } : { problem: 'does not hold an object' };
}

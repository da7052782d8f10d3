import type { ZodType } from 'zod';

/** One thing that an operator can set, by an environment variable or by a flag. */
export type Setting<Value = unknown, Default = unknown> = SettingNames &
  Pick<ValueType<Value>, 'placeholder' | 'separator' | 'schema'> & {
    /** What a server takes when the setting is not set. */
    readonly default: Default;
    /** The same for readers, in Markdown. */
    readonly shownDefault: string;
  };

type SettingNames = {
  readonly variable: string;
  /** Without the dashes; null for a secret, because everybody on a machine can see the arguments of its programs. */
  readonly flag: string | null;
  /** The heading under which it is listed. Settings of one group follow each other. */
  readonly group: string;
  /** What it means, in one line of Markdown. */
  readonly description: string;
};

/** Settings by the names of the fields that their values have in the configuration. */
export type SettingTable = Readonly<Record<string, Setting>>;

/** What the settings of a table are read as. */
export type SettingValues<Table extends SettingTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value, infer Default> ? Value | Default : never;
};

type SettingDeclaration<Value, Default> = SettingNames & {
  readonly type: ValueType<Value>;
  readonly default: Default;
  /** Only where `default` cannot be shown, because it depends on something else. */
  readonly shownDefault?: string;
};

/** Makes a setting of its one declaration. */
export function setting<Value, const Default extends Value | null>(
  declaration: SettingDeclaration<Value, Default>,
): Setting<Value, Default> {
  const { type, shownDefault = show(type, declaration.default), ...names } = declaration;
  const { placeholder, separator, schema } = type;
  return { ...names, placeholder, separator, schema, shownDefault };
}

function show<Value>({ show: spell }: ValueType<Value>, value: Value | null): string {
  const spelled = value === null ? '' : spell(value);
  return spelled === '' ? 'none' : `\`${spelled}\``;
}

/** Reads a value out of the text of a variable or a flag. */
export type Schema<Value> = ZodType<Value, string>;

/** What can be given for a setting. */
export type ValueType<Value> = {
  /** What a value looks like in the help; null for a switch, whose flag needs no value. */
  readonly placeholder: string | null;
  /** Separates the values of a flag that is given more than once; null where there can be only one value. */
  readonly separator: string | null;
  /** Builds the schema. A function, because a schema costs time, and a start has none for settings that are not set. */
  readonly schema: () => Schema<Value>;
  /** A value as one would give it. */
  readonly show: (value: Value) => string;
};

export type SettingGroup = {
  readonly name: string;
  readonly settings: readonly Setting[];
};

/** Settings under their headings, in the order in which they come. */
export function settingGroups(settings: readonly Setting[]): readonly SettingGroup[] {
  const names = [...new Set(settings.map(({ group }) => group))];
  return names.map((name) => ({ name, settings: settings.filter(({ group }) => group === name) }));
}

/** How the flag of a setting is given; null where there is none. */
export function flagUsage({ flag, placeholder }: Setting): string | null {
  if (flag === null) {
    return null;
  }
  return placeholder === null ? `--${flag}` : `--${flag} ${placeholder}`;
}

export type SettingSources = {
  readonly environment: Environment;
  /** Values that flags gave, by the name of the flag, as `parseCommandLine` reads them; they win over variables. */
  readonly flags?: ReadonlyMap<string, string>;
};

/**
 * Reads every setting of a table, each as its default where it is not set. Throws a `ConfigurationError` that names the variable
 * or the flag which is wrong.
 */
export function readSettings<Table extends SettingTable>(table: Table, sources: SettingSources): SettingValues<Table> {
  const values = Object.entries(table).map(([name, setting]) => [name, readSetting(setting, sources)]);
  return Object.fromEntries(values) as SettingValues<Table>;
}

function readSetting(setting: Setting, sources: SettingSources): unknown {
  const { name, value } = givenFor(setting, sources);
  if (!value) {
    return setting.default;
  }
  const read = setting.schema().safeParse(value);
  if (!read.success) {
    throw new ConfigurationError(`${name}: ${read.error.issues[0]?.message ?? 'not valid'}`);
  }
  return read.data;
}

type Given = { readonly name: string; readonly value: string | undefined };

function givenFor({ flag, variable }: Setting, { flags, environment }: SettingSources): Given {
  const flagged = flag === null ? undefined : flags?.get(flag);
  return flagged === undefined
    ? { name: variable, value: environment[variable] }
    : { name: `--${flag}`, value: flagged };
}

/** A setting is wrong. The message names the variable or flag and says why, in words for the person who set it. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Variables as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

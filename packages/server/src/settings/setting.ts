import { isUnfilled } from '@gemini-mcp/adapters-node/internal/startup';

/** A setting of the operator: an environment variable and a flag. */
export type Setting<Value = unknown, Default = unknown> = SettingNames &
  Pick<ValueType<Value>, 'placeholder' | 'separator' | 'read'> & {
    /** The value if not set. */
    readonly default: Default;
    /** The default for readers, in Markdown. */
    readonly shownDefault: string;
  };

type SettingNames = {
  readonly variable: string;
  /** Without the dashes; null for a secret, because everyone on a machine can see the arguments of its programs. */
  readonly flag: string | null;
  /** The heading that lists the setting. Settings of one group are adjacent. */
  readonly group: string;
  /** One line of Markdown. */
  readonly description: string;
};

/** Settings by their field names in the configuration. */
export type SettingTable = Readonly<Record<string, Setting>>;

/** The parsed values of a table of settings. */
export type SettingValues<Table extends SettingTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value, infer Default> ? Value | Default : never;
};

type SettingDeclaration<Value, Default> = SettingNames & {
  readonly type: ValueType<Value>;
  readonly default: Default;
  /** Only if `default` depends on something else and cannot be shown. */
  readonly shownDefault?: string;
};

/** Creates a setting from its declaration. */
export function setting<Value, const Default extends Value | null>(
  declaration: SettingDeclaration<Value, Default>,
): Setting<Value, Default> {
  const { type, shownDefault = show(type, declaration.default), ...names } = declaration;
  const { placeholder, separator, read } = type;
  return { ...names, placeholder, separator, read, shownDefault };
}

function show<Value>({ show: spell }: ValueType<Value>, value: Value | null): string {
  const spelled = value === null ? '' : spell(value);
  return spelled === '' ? 'none' : `\`${spelled}\``;
}

/** A value read from text, or the reason why the text is not valid, as the rest of a sentence that begins with the setting's name. */
export type Read<Value> = { readonly value: Value } | { readonly refusal: string };

/**
 * Reads a value from the text of a variable or a flag. Written by hand: the first answer of a server would wait for a schema library.
 */
export type Reader<Value> = (text: string) => Read<Value>;

/** The type of a setting's value. */
export type ValueType<Value> = {
  /** The placeholder for a value in the help; null for a switch, whose flag needs no value. */
  readonly placeholder: string | null;
  /** Joins the values of a repeated flag; null if only one value is allowed. */
  readonly separator: string | null;
  readonly read: Reader<Value>;
  /** Formats a value as a user would write it. */
  readonly show: (value: Value) => string;
};

export type SettingGroup = {
  readonly name: string;
  readonly settings: readonly Setting[];
};

/** Groups settings under their headings, in order. */
export function settingGroups(settings: readonly Setting[]): readonly SettingGroup[] {
  const names = [...new Set(settings.map(({ group }) => group))];
  return names.map((name) => ({ name, settings: settings.filter(({ group }) => group === name) }));
}

/** The flag of a setting as typed; null if it has no flag. */
export function flagUsage({ flag, placeholder }: Setting): string | null {
  if (flag === null) {
    return null;
  }
  return placeholder === null ? `--${flag}` : `--${flag} ${placeholder}`;
}

export type SettingSources = {
  readonly environment: SettingsEnvironment;
  /** Values from flags, by the name of the flag, as `parseCommandLine` returns them. They take precedence over variables. */
  readonly flags?: ReadonlyMap<string, string>;
};

/**
 * Reads every setting of a table, with the default for unset ones. Throws a `ConfigurationError` that names the invalid variable
 * or flag.
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
  const read = setting.read(value);
  if ('refusal' in read) {
    throw new ConfigurationError(`${name}: ${read.refusal}`);
  }
  return read.value;
}

type Given = { readonly name: string; readonly value: string | undefined };

function givenFor({ flag, variable }: Setting, { flags, environment }: SettingSources): Given {
  const flagged = flag === null ? undefined : flags?.get(flag);
  const given =
    flagged === undefined ? { name: variable, value: environment[variable] } : { name: `--${flag}`, value: flagged };
  return isUnfilled(given.value) ? { ...given, value: undefined } : given;
}

/** An invalid setting. The message names the variable or flag and gives the reason, for the person who set it. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** The environment variables of a process. */
export type SettingsEnvironment = Readonly<Record<string, string | undefined>>;

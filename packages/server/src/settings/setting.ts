import type { ValueType } from './value-type.ts';

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

export type SettingDeclaration<Value, Default> = SettingNames & {
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

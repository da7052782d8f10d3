import { ConfigurationError } from './configuration-error.ts';
import type { Environment } from './environment.ts';
import type { Setting, SettingTable, SettingValues } from './setting.ts';

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

/** Whether a setting was given. An empty variable does not count. */
export function isSet(setting: Setting, sources: SettingSources): boolean {
  return Boolean(givenFor(setting, sources).value);
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

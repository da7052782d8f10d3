import { ConfigurationError } from './configuration-error.ts';
import type { Environment } from './environment.ts';
import type { Setting } from './setting.ts';

export type SettingSources = {
  readonly environment: Environment;
  /** Values that flags gave, by the name of the flag, as `parseCommandLine` reads them; they win over variables. */
  readonly flags?: ReadonlyMap<string, string>;
};

/**
 * Reads one setting, or returns `otherwise` where it is not set; an empty variable counts as such. Throws a
 * `ConfigurationError` that names the variable or the flag which is wrong.
 */
export type ReadSetting = <Value, Default>(setting: Setting<Value>, otherwise: Default) => Value | Default;

export function settingReader(sources: SettingSources): ReadSetting {
  return (setting, otherwise) => readSetting(setting, sources) ?? otherwise;
}

function readSetting<Value>(setting: Setting<Value>, { flags, environment }: SettingSources): Value | undefined {
  const flagged = setting.flag === null ? undefined : flags?.get(setting.flag);
  const given = flagged ?? environment[setting.variable];
  if (!given) {
    return;
  }
  const read = setting.schema().safeParse(given);
  if (!read.success) {
    const name = flagged === undefined ? setting.variable : `--${setting.flag}`;
    throw new ConfigurationError(`${name}: ${read.error.issues[0]?.message ?? 'not valid'}`);
  }
  return read.data;
}

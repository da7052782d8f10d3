import type { Setting } from '../settings/setting.ts';

export type FlagKind = {
  /** Whether it is a setting or chooses a mode. */
  readonly sets: 'setting' | 'mode';
  readonly takesValue: boolean;
  /** The separator of its values when it is given more than once; null where it may be given only once. */
  readonly separator: string | null;
  readonly short: string | null;
};

const plain: FlagKind = { sets: 'mode', takesValue: false, separator: null, short: null };

const modeFlags: readonly (readonly [string, FlagKind])[] = [
  ['help', { ...plain, short: 'h' }],
  ['version', { ...plain, short: 'v' }],
  ['print-config', { ...plain, takesValue: true }],
  ['json', plain],
  ['no-call', plain],
  ['owner', { ...plain, takesValue: true }],
  ['network', plain],
];

/** Every flag that a program with these settings has, by its name without the dashes. */
export function flagKinds(settings: readonly Setting[]): ReadonlyMap<string, FlagKind> {
  const ofSettings = settings.flatMap(({ flag, placeholder, separator }): readonly (readonly [string, FlagKind])[] =>
    flag === null ? [] : [[flag, { sets: 'setting', takesValue: placeholder !== null, separator, short: null }]],
  );
  return new Map([...ofSettings, ...modeFlags]);
}

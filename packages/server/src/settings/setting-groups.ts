import type { Setting } from './setting.ts';

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

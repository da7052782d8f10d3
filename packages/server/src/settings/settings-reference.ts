import { settingList } from './server-settings.ts';
import { type Setting, type SettingGroup, settingGroups } from './setting.ts';

/** Every setting as Markdown: one table for each group. */
export function settingsReference(): string {
  return settingGroups.map((group) => `### ${group}\n\n${tableOf(group)}`).join('\n\n');
}

function tableOf(group: SettingGroup): string {
  const rows = settingList.filter((setting) => setting.group === group).map(rowOf);
  return ['| Variable | Flag | Value | Default |', '|---|---|---|---|', ...rows].join('\n');
}

function rowOf({ variable, flag, placeholder, description, shownDefault }: Setting<unknown>): string {
  const usage = placeholder === null ? `--${flag}` : `--${flag} ${placeholder}`;
  return `| \`${variable}\` | \`${usage}\` | ${description} | ${shownDefault} |`;
}

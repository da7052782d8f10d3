import type { Setting } from './setting.ts';
import { flagUsage, settingGroups } from './setting-groups.ts';

/** Settings as Markdown: one table for each group. */
export function settingsReference(settings: readonly Setting[]): string {
  return settingGroups(settings)
    .map((group) => `### ${group.name}\n\n${tableOf(group.settings)}`)
    .join('\n\n');
}

function tableOf(settings: readonly Setting[]): string {
  return ['| Variable | Flag | Value | Default |', '|---|---|---|---|', ...settings.map(rowOf)].join('\n');
}

function rowOf(setting: Setting): string {
  const { variable, description, shownDefault } = setting;
  const usage = flagUsage(setting);
  return `| \`${variable}\` | ${usage === null ? 'none' : `\`${usage}\``} | ${description} | ${shownDefault} |`;
}

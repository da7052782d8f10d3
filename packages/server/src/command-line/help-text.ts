import type { OperableProgram } from '../program/operable-program.ts';
import type { Setting } from '../settings/setting.ts';
import { flagUsage, type SettingGroup, settingGroups } from '../settings/setting-groups.ts';

/** What `--help` prints. */
export function helpText({ intro, settings }: Pick<OperableProgram, 'intro' | 'settings'>): string {
  return `${[intro, ...settingGroups(settings).map(describeGroup)].join('\n\n')}\n`;
}

function describeGroup({ name, settings }: SettingGroup): string {
  return [`${name}:`, ...settings.map(describeSetting)].join('\n');
}

function describeSetting(setting: Setting): string {
  const { variable, description, shownDefault } = setting;
  const usage = flagUsage(setting);
  const meaning = `${withoutMarkup(description)} Default: ${withoutMarkup(shownDefault)}.`;
  return [
    usage === null ? `  ${variable}` : `  ${usage}  (${variable})`,
    ...wrap(meaning).map((line) => `      ${line}`),
  ].join('\n');
}

/** Markdown as a terminal shows it. */
function withoutMarkup(markdown: string): string {
  return markdown
    .replace(/\[([^\]]+)\]\(#[^)]+\)/g, '"$1" in docs/configuration.md')
    .replace(/\[([^\]]+)\]\(([\w-]+\.md)[^)]*\)/g, '"$1" in docs/$2')
    .replaceAll('`', '');
}

function wrap(text: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= 100) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

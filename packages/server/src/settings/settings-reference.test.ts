import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { httpSettingList } from './http-settings.ts';
import { profileNames, profiles, queuedPerRunning, type Sizes } from './profiles.ts';
import { serverSettingList } from './server-settings.ts';
import { flagUsage, type Setting, settingGroups } from './setting.ts';

/** Settings as Markdown: one table for each group. */
function settingsReference(settings: readonly Setting[]): string {
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

const rows: readonly (readonly [what: string, of: (sizes: Sizes) => number])[] = [
  ['Calls to Gemini at one time, unless `GEMINI_MCP_MAX_RUNNING` says it', ({ maxRunning }) => maxRunning],
  ['Calls that wait', ({ maxRunning }) => queuedPerRunning * maxRunning],
  ['Files of one call', ({ maxFiles }) => maxFiles],
  ['Bytes of text in them', ({ maxBytes }) => maxBytes],
  ['Bytes of media in one call', ({ maxMediaBytes }) => maxMediaBytes],
  ['Processes that are kept running', ({ warmProcesses }) => warmProcesses],
  ['Minutes after which a process without a call is ended', ({ warmIdleMs }) => warmIdleMs / 60_000],
  ['Connections to the HTTP server', ({ maxConnections }) => maxConnections],
  ['HTTP requests of one principal at one time, streams among them', ({ maxRequests }) => maxRequests],
  ['MCP sessions', ({ maxSessions }) => maxSessions],
];

/** The profiles as a table of Markdown. */
function profilesReference(): string {
  const head = ['', ...profileNames.map((name) => `\`${name}\``)];
  const cells = rows.map(([what, of]) => [
    what,
    ...profileNames.map((name) => of(profiles[name]).toLocaleString('en')),
  ]);
  return [head, head.map(() => '---'), ...cells]
    .map((row) => `| ${row.join(' | ')} |`.replace(/^\| {2}\|/, '| |'))
    .join('\n');
}

const end = '<!-- end of settings -->';
const begin =
  '<!-- settings: written by packages/server/src/settings/settings-reference.test.ts, do not edit by hand -->';

it.each<[string, readonly Setting[], string]>([
  ['configuration.md', serverSettingList, `\n\n### Profiles\n\n${profilesReference()}`],
  ['http.md', httpSettingList, ''],
])('docs/%s lists what can be set (`npx vitest run packages/server --update` writes it)', async (name, list, rest) => {
  const document = new URL(`../../../../docs/${name}`, import.meta.url);
  const [before, written = ''] = readFileSync(document, 'utf8').split(begin);
  const after = written.slice(written.indexOf(end));
  expect(after.startsWith(end), 'the marks around the tables').toBe(true);
  const current = `${before}${begin}\n\n${settingsReference(list)}${rest}\n\n${after}`;
  await expect(current).toMatchFileSnapshot(document.pathname);
});

it('docs/configuration.md begins with settings that exist', () => {
  const [, table = ''] = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8').split(
    '| Most often set | To |\n|---|---|\n',
  );
  const names = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(5);
  expect(serverSettingList.map(({ variable }) => variable)).toEqual(expect.arrayContaining(names));
});

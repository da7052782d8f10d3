import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { httpSettingList } from './http-settings.ts';
import { profilesReference } from './profiles.ts';
import { serverSettingList } from './server-settings.ts';
import { type Setting, settingsReference } from './setting.ts';

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

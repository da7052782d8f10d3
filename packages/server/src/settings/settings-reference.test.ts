import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { settingList } from './server-settings.ts';
import { settingsReference } from './settings-reference.ts';

const document = new URL('../../../../docs/configuration.md', import.meta.url);
const begin =
  '<!-- settings: written by packages/server/src/settings/settings-reference.test.ts, do not edit by hand -->';
const end = '<!-- end of settings -->';

it('docs/configuration.md says what can be set (`pnpm vitest -u` writes it anew)', async () => {
  const written = readFileSync(document, 'utf8');
  const [before, rest = ''] = written.split(begin);
  const after = rest.slice(rest.indexOf(end));
  expect(after.startsWith(end), 'the marks around the tables').toBe(true);
  const current = `${before}${begin}\n\n${settingsReference(settingList)}\n\n${after}`;
  await expect(current).toMatchFileSnapshot(document.pathname);
});

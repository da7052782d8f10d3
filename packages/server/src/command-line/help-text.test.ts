import { expect, it } from 'vitest';
import { settingList } from '../settings/server-settings.ts';
import { clientNames } from './client-name.ts';
import { flagKinds } from './flag-kinds.ts';
import { helpText } from './help-text.ts';

it('names every flag, variable and client', () => {
  const help = helpText();
  for (const name of [...flagKinds().keys()].map((flag) => `--${flag}`)) {
    expect(help).toContain(name);
  }
  for (const name of [...settingList.map(({ variable }) => variable), ...clientNames, 'doctor']) {
    expect(help).toContain(name);
  }
});

it('holds no markup, and lines that fit a terminal', () => {
  expect(helpText()).not.toMatch(/`|\]\(/);
  expect(
    Math.max(
      ...helpText()
        .split('\n')
        .map((line) => line.length),
    ),
  ).toBeLessThanOrEqual(120);
});

import { expect, it } from 'vitest';
import { createRunRedactor } from './create-run-redactor.ts';

const environment = { GEMINI_API_KEY: 'AIza-secret-of-the-user' };
const create = (home: string) =>
  createRunRedactor({ root: '/home/ada/state/runs/1', userDirectory: `${home}/.gemini`, environment });

it('shows a word in place of the run, of the home and of a key', () => {
  const said = 'set AIza-secret-of-the-user in /home/ada/state/runs/1/home/.gemini/settings.json or /home/ada/.gemini';
  expect(create('/home/ada')(said)).not.toMatch(/ada|secret/);
  expect(create('/home/ada')(said)).toMatch(/in \(run\)\/home\/\.gemini\/settings\.json or ~\/\.gemini$/);
});

it('leaves other paths alone, also for a user whose home is the top directory', () => {
  expect(create('/home/ada')('/etc/hosts and /home')).toBe('/etc/hosts and /home');
  expect(create('')('/etc/hosts')).toBe('/etc/hosts');
});

import { expect, it } from 'vitest';
import { hideDirectories } from './create-run-redactor.ts';

const hide = hideDirectories([
  { path: '/home/ada', shownAs: '~' },
  { path: '/home/ada/state/runs/1', shownAs: '(run)' },
  { path: '/', shownAs: 'never' },
]);

it('shows a word in place of each directory, the innermost first', () => {
  expect(hide('set it in /home/ada/state/runs/1/home/.gemini/settings.json or /home/ada/.gemini')).toBe(
    'set it in (run)/home/.gemini/settings.json or ~/.gemini',
  );
});

it('leaves other paths alone', () => {
  expect(hide('/etc/hosts and /homer')).toBe('/etc/hosts and /homer');
});

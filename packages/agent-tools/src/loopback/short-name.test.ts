import { expect, it } from 'vitest';
import { shortName } from './run-tool-server.ts';

it('keeps a name that the CLI does not shorten, and distinguishes longer ones with the same beginning and end', () => {
  expect(shortName('a'.repeat(54))).toBe('a'.repeat(54));
  const [one, other] = ['x', 'y'].map((middle) => shortName(`${'a'.repeat(50)}${middle}${'b'.repeat(12)}`));
  expect(one).toMatch(/^a{45}_[0-9a-f]{8}$/);
  expect(other).not.toBe(one);
});

import { expect, it } from 'vitest';
import { namedPages } from '../ask-gemini/ask-gemini.ts';
import { formatAccount } from './format-account.ts';

const answered = { text: 'Red.', model: 'pro', attempts: [], usage: [], context: null };
const urls = [
  'https://a.example/',
  'https://b.example/',
  'https://c.example/',
  'https://d.example/',
  'https://e.example/',
];
const outcomes = ['read', 'paywall', 'unsafe', 'failed'] as const;
const told = outcomes.map((outcome, index) => ({ url: urls[index] ?? '', outcome }));

it('reports how many pages were read, and why others were not', () => {
  expect(formatAccount({ ...answered, pages: namedPages(urls, told) })).toBe(
    [
      'Pages: 1 of 5 read',
      '  - asks for money or a login: https://b.example/',
      '  - refused by Google as unsafe: https://c.example/',
      '  - could not be read: https://d.example/',
      '  - not told whether it was read: https://e.example/',
    ].join('\n'),
  );
});

it.each([
  ['was read', [{ url: 'https://a.example/', outcome: 'failed' } as const]],
  ['is reported', []],
])('warns if no page %s', (_, pages) => {
  const text = formatAccount({ ...answered, pages: namedPages(urls.slice(0, 1), pages) });
  expect(text).toMatch(/^\[WARNING: Google read none of the pages, .*\]\n/);
  expect(text).toContain('\nPages: 0 of 1 read\n');
});

it('is empty without named pages, and only a number if all were read', () => {
  expect(formatAccount({ ...answered, pages: namedPages([], []) })).toBe('');
  expect(formatAccount({ ...answered, pages: namedPages(urls.slice(0, 1), told.slice(0, 1)) })).toBe(
    'Pages: 1 of 1 read',
  );
});

it('shows addresses on one line, cut if they are long', () => {
  const url = `https://a.example/\u202e${'x'.repeat(500)}`;
  const text = formatAccount({ ...answered, pages: [{ url, outcome: 'failed' }] });
  expect(text).toContain('https://a.example/\\u{202e}xxx');
  expect(text).toMatch(/x\u2026$/);
  expect(text.length).toBeLessThan(400);
});

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const docs = new URL('../../../../docs/', import.meta.url);
const rows = readFileSync(new URL('hostile-input.md', docs), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [id] = /(?<=^\| )[A-Z]+-(?:\d{2}|[HML]\d{1,2})(?= \|)/.exec(line) ?? [];
    return id === undefined ? [] : [{ id, links: [...line.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link) }];
  });

describe('docs/hostile-input.md', () => {
  it('names each case once, and a test for every case', () => {
    expect(rows.length).toBeGreaterThanOrEqual(90);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows.filter(({ links }) => links.length === 0)).toEqual([]);
  });

  it.each(rows.flatMap(({ id, links }) => links.map((link) => [id, link] as const)))(
    '%s is named by a test of %s',
    (id, link) => {
      const source = readFileSync(fileURLToPath(new URL(link, docs)), 'utf8');
      expect(source).toMatch(new RegExp(`\\b${id}\\b`));
    },
  );
});

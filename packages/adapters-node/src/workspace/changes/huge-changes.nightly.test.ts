import { afterEach, beforeEach, expect, it } from 'vitest';
import { GitPlace } from './testing/git-place.ts';

let place: GitPlace;
beforeEach(() => {
  place = new GitPlace();
});
afterEach(() => place.remove());

const wholeMs = 300_000;

it('10,000 changed files are read up to a limit, and the others are told', { timeout: wholeMs }, async () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `d${index % 100}/f${index}.ts`);
  place.commit(Object.fromEntries(names.map((name) => [name, 'one\ntwo\n'])));
  place.write(Object.fromEntries(names.map((name) => [name, 'one\n2\n'])));
  const { files, unread } = await place.change();
  expect(files).toHaveLength(3_000);
  expect(unread.filter(({ reason }) => reason === 'over-limit')).toHaveLength(7_000);
});

it('a diff of 50 MB is read up to a limit, and takes bounded memory', { timeout: wholeMs }, async () => {
  const names = Array.from({ length: 60 }, (_, index) => `f${index}.ts`);
  place.commit({});
  place.commit(Object.fromEntries(names.map((name) => [name, `// ${name}\n${'const x = 1;\n'.repeat(70_000)}`])));
  const before = process.memoryUsage().rss;
  const { files, unread } = await place.change({ type: 'commit', revision: 'HEAD' });
  expect(files.length + unread.length).toBe(60);
  expect(files.reduce((sum, { patch }) => sum + patch.length, 0)).toBeLessThan(17_000_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(600_000_000);
});

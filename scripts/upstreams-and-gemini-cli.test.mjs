// The table of docs/upstreams-and-gemini-cli.md names tests that there are, by file and title, and a verdict for each behaviour.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rootDirectory } from './run-step.mjs';

const docs = join(rootDirectory, 'docs');
const rows = readFileSync(join(docs, 'upstreams-and-gemini-cli.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:In the Gemini CLI|---) /.test(line))
  .map((line) => {
    const [behaviour = '', , verdict = ''] = line.slice(2, -2).split(' | ');
    const proofs = [...line.matchAll(/\]\(([^)]+\.test\.ts)\): `([^`]+)`/g)].map(([, path, title]) => [path, title]);
    return { behaviour, verdict, proofs };
  });

describe('docs/upstreams-and-gemini-cli.md', () => {
  it('has a verdict and a test for each behaviour', () => {
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.filter(({ proofs }) => proofs.length === 0)).toEqual([]);
    expect(rows.filter(({ verdict }) => !['same', 'better', 'different'].includes(verdict))).toEqual([]);
  });

  it.each(rows.flatMap(({ proofs }) => proofs))('%s has the test %j', (path, title) => {
    expect(readFileSync(resolve(docs, path), 'utf8')).toContain(title);
  });
});

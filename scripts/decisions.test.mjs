// docs/adr/README.md lists every decision under its topic, and each page says its topic and whether it still holds.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rootDirectory } from './run-step.mjs';

const directory = join(rootDirectory, 'docs/adr');
const index = readFileSync(join(directory, 'README.md'), 'utf8');
const names = readdirSync(directory).filter((name) => name !== 'README.md');
const status = /^- Status: (?:accepted|superseded (?:in part )?by \[(\d{4})\]\([^)]*\)(?:: .+)?)$/m;

/** What a page says of itself, null where a line is missing or has another form. */
function readPage(name) {
  const text = readFileSync(join(directory, name), 'utf8');
  const [, number, title] = /^# (\d{4}) (.+)\n/.exec(text) ?? [];
  const supersedes = /^- Supersedes.*$/m.exec(text)?.[0] ?? '';
  return {
    name,
    number,
    title,
    topic: /^- Topic: (.+)$/m.exec(text)?.[1] ?? null,
    hasStatus: status.test(text),
    supersededBy: status.exec(text)?.[1] ?? null,
    supersedes: [...supersedes.matchAll(/\[(\d{4})\]/g)].map(([, other]) => other),
  };
}

const pages = names.map(readPage);

function slugOf({ number, title }) {
  const words = title
    .toLowerCase()
    .replaceAll("'", '')
    .split(/[^a-z0-9]+/);
  return `${[number, ...words.filter((word) => word !== '')].join('-')}.md`;
}

function sectionOf(topic) {
  return index.split(/^## /m).find((section) => section.startsWith(`${topic}\n`)) ?? '';
}

describe('the decisions', () => {
  it.each(pages)('$name has a title, a topic, a status, and a line below its topic in the index', (page) => {
    expect(page).toMatchObject({ name: slugOf(page), topic: expect.any(String), hasStatus: true });
    expect(sectionOf(page.topic)).toContain(`- [${page.number} ${page.title}](${page.name})\n`);
  });

  it('say on both pages that one supersedes another', () => {
    const older = pages.flatMap(({ number, supersededBy }) =>
      supersededBy === null ? [] : `${number} by ${supersededBy}`,
    );
    const newer = pages.flatMap(({ number, supersedes }) => supersedes.map((other) => `${other} by ${number}`));
    expect(older.length).toBeGreaterThan(0);
    expect(newer.toSorted()).toEqual(older.toSorted());
  });

  it('have one number each', () => {
    expect(new Set(pages.map(({ number }) => number)).size).toBe(pages.length);
  });
});

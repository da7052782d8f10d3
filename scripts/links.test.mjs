// Every relative link of every Markdown file leads to something, and so does every path of the repository that a text names.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rootDirectory } from './run-step.mjs';

const passedOver = new Set(['node_modules', 'dist', 'recorded']);

function listMarkdown(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (passedOver.has(entry.name) || entry.name.startsWith('.')) {
      return [];
    }
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      return listMarkdown(path);
    }
    return entry.isFile() && entry.name.endsWith('.md') ? [path] : [];
  });
}

/** Code blocks quote other places: nothing in them is a link, a heading or a path. */
function withoutBlocks(text) {
  return text.replace(/^( *)(```+)[^\n]*\n[\s\S]*?^\1\2 *$/gm, '');
}

/** GitHub's link fragments for the headings of a text. */
function anchorsOf(text) {
  const seen = new Map();
  return [...withoutBlocks(text).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading]) => {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  });
}

function linksOf(text) {
  const prose = withoutBlocks(text).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
}

/** Paths in code, as far as they are whole: no pattern, no placeholder, nothing that a build or a run makes. */
function pathsOf(text) {
  return [...withoutBlocks(text).matchAll(/`((?:packages|apps|demo|bench|docs|scripts)\/[\w./-]+)`/g)]
    .map(([, path]) => path)
    .filter((path) => !path.split('/').includes('dist'));
}

function brokenLinks(path, text) {
  return linksOf(text).filter((link) => {
    if (/^[a-z][a-z+.-]*:/i.test(link)) {
      return false;
    }
    const [name, fragment] = link.split('#');
    const target = name === '' ? path : resolve(dirname(path), decodeURI(name));
    if (!existsSync(target)) {
      return true;
    }
    const anchors = fragment === undefined || !target.endsWith('.md') ? null : anchorsOf(readFileSync(target, 'utf8'));
    return anchors !== null && !anchors.includes(fragment);
  });
}

function missingPaths(text) {
  return pathsOf(text).filter((path) => !existsSync(join(rootDirectory, path)));
}

/** Lines that a merge leaves where two changes met. */
function mergeMarks(text) {
  return text.split('\n').filter((line) => /^(<{7}|>{7}|\|{7}) /.test(line));
}

const files = listMarkdown(rootDirectory);

describe('the documents', () => {
  it('are found', () => {
    const names = files.map((path) => relative(rootDirectory, path));
    expect(names).toEqual(expect.arrayContaining(['README.md', 'docs/embedding.md', 'packages/core/README.md']));
  });

  it.each(files.map((path) => [relative(rootDirectory, path), path]))(
    '%s: links and paths lead somewhere',
    (_, path) => {
      const text = readFileSync(path, 'utf8');
      const found = { links: brokenLinks(path, text), paths: missingPaths(text), marks: mergeMarks(text) };
      expect(found).toEqual({ links: [], paths: [], marks: [] });
    },
  );
});

describe('the glossary', () => {
  it('has at most 40 words, each once', () => {
    const text = readFileSync(join(rootDirectory, 'docs/glossary.md'), 'utf8');
    const words = [...text.matchAll(/^\| (?!Word |---)(.+?) \|/gm)].map(([, word]) => word);
    expect(words.length).toBeGreaterThan(20);
    expect(words.length).toBeLessThanOrEqual(40);
    expect(new Set(words).size).toBe(words.length);
  });
});

describe('the search for broken links', () => {
  const here = join(rootDirectory, 'README.md');
  const text = `# A \`b\` c: d\n# Twice\n# Twice\n[1](#a-b-c-d) [2](#twice-1) [3](#twice-2) [4](LICENSE) [5](missing.md)
[6](docs/embedding.md#install) [7](docs/embedding.md#no) [8](https://example.org/x) \`[9](code.md)\`
\`packages/core\`, \`packages/none/x.ts\`, \`packages/*/src\`, \`apps/mcp-stdio/dist/x.cjs\`
\`\`\`md
[10](block.md) \`packages/block\`
\`\`\`
`;

  it('takes a link for broken when neither file nor heading is there', () => {
    // Links without a file refer to README.md itself, which lacks these headings.
    expect(brokenLinks(here, text)).toEqual(['#a-b-c-d', '#twice-1', '#twice-2', 'missing.md', 'docs/embedding.md#no']);
  });

  it('knows the fragments of headings', () => {
    expect(anchorsOf(text)).toEqual(['a-b-c-d', 'twice', 'twice-1']);
  });

  it('misses paths in code that are not there', () => {
    expect(missingPaths(text)).toEqual(['packages/none/x.ts']);
  });

  it('sees what a merge left', () => {
    expect(mergeMarks('# A\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> 1234567 (z)\n')).toHaveLength(2);
  });
});

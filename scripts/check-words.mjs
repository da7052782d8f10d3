// Counts stilted words and compares with stilted-words.json, the number that each file may still have. Together they may only become
// fewer: `--update` writes the file after a fall and refuses to after a rise. `--directory=<path>` is for its test.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootDirectory } from './run-step.mjs';
import { findInTree } from './stilted-words.mjs';

const args = process.argv.slice(2);
const directory = args.find((arg) => arg.startsWith('--directory='))?.slice('--directory='.length) ?? rootDirectory;
const figuresPath = join(directory, 'scripts/stilted-words.json');

const allowed = JSON.parse(readFileSync(figuresPath, 'utf8'));
const found = findInTree(directory);
const counted = Object.fromEntries([...found].map(([name, words]) => [name, words.length]));
const before = totalOf(allowed);
const now = totalOf(counted);

if (now > before) {
  const risen = [...found].filter(([name, words]) => words.length > (allowed[name] ?? 0));
  console.error(
    `${now} stilted words, ${now - before} more than the ${before} of scripts/stilted-words.json. Use plain ones here:`,
  );
  for (const [name, words] of risen) {
    console.error(`${name}: ${words.length}, ${allowed[name] ?? 0} before`);
    for (const { line, word, plain, text } of words) {
      console.error(`  ${name}:${line}: "${word}" (${plain}): ${text.slice(0, 120)}`);
    }
  }
  process.exitCode = 1;
} else if (args.includes('--update')) {
  const sorted = Object.fromEntries(Object.entries(counted).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(figuresPath, `${JSON.stringify(sorted, null, 2)}\n`);
  console.log(`${now} stilted words, ${before} before.`);
} else if (now < before) {
  console.log(
    `${now} stilted words, ${before - now} fewer than before: run \`npm run words -- --update\` and commit the figures.`,
  );
} else {
  console.log(`${now} stilted words, as before.`);
}

function totalOf(counts) {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

// The licences of the packages in a bundle, which must be passed on with the code.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

// Each app runs it after its bundles, in its own directory: `bundle-inputs.json` has the paths of all that they were made of.
const inputs = JSON.parse(readFileSync('dist/bundle-inputs.json', 'utf8'));
const directories = new Set(inputs.flatMap((input) => packageDirectory(input) ?? []));
const notices = [...new Map([...directories].map(noticeOf))].sort(([one], [other]) => (one < other ? -1 : 1));
const head = 'This package contains code of the packages below, under their licences.\n';
writeFileSync(
  'dist/THIRD-PARTY-NOTICES',
  [head, ...notices.map(([title, text]) => `## ${title}\n\n${text}\n`)].join('\n'),
);

function packageDirectory(input) {
  const [directory] = /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(input) ?? [];
  return directory === undefined ? null : resolve(directory);
}

function noticeOf(directory) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const files = readdirSync(directory).filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(directory, file), 'utf8').trim());
  if (texts.length === 0 && license === undefined) {
    throw new Error(`${name} says nothing of its licence.`);
  }
  const by = typeof author === 'string' ? author : (author?.name ?? '');
  const told = `Licence: ${license}${by === '' ? '' : `. Author: ${by}`}`;
  return [`${name} ${version}`, [told, ...texts].join('\n\n')];
}

// The packages in a bundle: their licences, which must be passed on with the code, and a bill of materials (CycloneDX). npm could
// not make one, because a bundle has no dependencies.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

// Each app runs it after its bundles, in its own directory: `bundle-inputs.json` has the paths of all that they were made of.
const inputs = JSON.parse(readFileSync('dist/bundle-inputs.json', 'utf8'));
const directories = new Set(inputs.flatMap((input) => packageDirectory(input) ?? []));
const bundled = [...new Map([...directories].map(readPackage)).values()].sort(byTitle);
const head = 'This package contains code of the packages below, under their licences.\n';
writeFileSync(
  'dist/THIRD-PARTY-NOTICES',
  [head, ...bundled.map((each) => `## ${each.title}\n\n${noticeOf(each)}\n`)].join('\n'),
);
writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(billOfMaterials(), null, 1)}\n`);

function packageDirectory(input) {
  const [directory] = /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(input) ?? [];
  return directory === undefined ? null : resolve(directory);
}

function readPackage(directory) {
  const manifest = readManifest(directory);
  const title = `${manifest.name} ${manifest.version}`;
  return [title, { title, directory, manifest }];
}

function readManifest(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
}

function byTitle({ title: one }, { title: other }) {
  return one < other ? -1 : 1;
}

function noticeOf({ directory, manifest: { name, license, author } }) {
  const files = readdirSync(directory).filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(directory, file), 'utf8').trim());
  if (texts.length === 0 && license === undefined) {
    throw new Error(`${name} says nothing of its licence.`);
  }
  const by = typeof author === 'string' ? author : (author?.name ?? '');
  return [`Licence: ${license}${by === '' ? '' : `. Author: ${by}`}`, ...texts].join('\n\n');
}

function billOfMaterials() {
  const component = { type: 'application', ...componentOf(readManifest('.')) };
  const components = bundled.map(({ manifest }) => ({ type: 'library', ...componentOf(manifest) }));
  return { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component }, components };
}

function componentOf({ name, version, license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licenses = license === undefined ? [] : [{ expression: license }];
  return { 'bom-ref': purl, name, version, purl, licenses };
}

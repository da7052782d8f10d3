// `node scripts/names.mjs`: lists the exported names that more than one product file defines, with those files. One name has one meaning.
import { pathToFileURL } from 'node:url';
import { readSources } from './rooms.mjs';

const definition =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:class|function\*?|const|let|type|interface) (\w+)/gm;

/** The files that define each exported name, for the names that more than one file defines. */
export function findNamesDefinedTwice(sources) {
  const files = new Map();
  for (const { path, text } of sources) {
    for (const name of new Set([...text.matchAll(definition)].map(([, found]) => found))) {
      files.set(name, [...(files.get(name) ?? []), path]);
    }
  }
  return new Map([...files].filter(([, paths]) => paths.length > 1).sort(([a], [b]) => (a < b ? -1 : 1)));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const [name, paths] of findNamesDefinedTwice(readSources())) {
    console.log(`${name}\n  ${paths.join('\n  ')}`);
  }
}

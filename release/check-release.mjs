// `node release/check-release.mjs <owner/repository> <tag>`: whether the names and versions are those of a release. It needs no install.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { publishedPackages } from '../scripts/published-packages.mjs';

/** The reasons why a tag of a repository cannot be released, as sentences. */
export function findObstacles({ repository, tag, serverJson, packages }) {
  const named = new URL(serverJson.repository.url).pathname.slice(1);
  const { version } = serverJson;
  const others = packages.filter(({ manifest }) => manifest.version !== version).map(({ name }) => name);
  return [
    ...(/\bOWNER\b/.test(named) ? ['The names are not taken yet: set `owner` in release/declaration.mjs.'] : []),
    ...(named === repository ? [] : [`The manifests name the repository ${named}, and this is ${repository}.`]),
    ...(tag === `v${version}` ? [] : [`The tag ${tag} is not that of version ${version}.`]),
    ...(others.length === 0 ? [] : [`These packages do not have version ${version}: ${others.join(', ')}.`]),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , repository, tag] = process.argv;
  const serverJson = JSON.parse(readFileSync(new URL('../server.json', import.meta.url), 'utf8'));
  const obstacles = findObstacles({ repository, tag, serverJson, packages: publishedPackages });
  console.log(obstacles.join('\n') || `${tag} can be released.`);
  process.exitCode = obstacles.length === 0 ? 0 : 1;
}

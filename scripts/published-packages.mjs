// The published packages, and their entries for imports.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootDirectory } from './run-step.mjs';

/** Every package whose manifest does not say `private`, as `{ name, directory, manifest }`. */
export const publishedPackages = ['packages', 'apps']
  .flatMap((place) => readdirSync(join(rootDirectory, place)).map((name) => join(rootDirectory, place, name)))
  .map((directory) => {
    const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    return { name: manifest.name, directory, manifest };
  })
  .filter(({ manifest }) => manifest.private !== true);

/** Those of them that programs import; the others are programs. */
export const libraries = publishedPackages.filter(({ manifest }) => manifest.exports !== undefined);

/** Published because `@gemini-mcp/gemini` loads them: programs have no entry of theirs. */
const loadedPackages = ['@gemini-mcp/agent-tools', '@gemini-mcp/upstreams'];

/**
 * The entries of a library, as `{ name, declarations, isInternal }`: its import name, the file of its types, and whether it
 * is only for our own packages.
 */
export function entriesOf({ directory, manifest }) {
  return Object.entries(manifest.exports)
    .filter(([, { types }]) => types !== undefined)
    .map(([path, { types }]) => ({
      name: join(manifest.name, path),
      declarations: join(directory, types),
      isInternal: path.startsWith('./internal') || loadedPackages.includes(manifest.name),
    }));
}

// The libraries that only some calls need, those of the Gemini API itself and those of Gemini's work on a project: files of their own in the
// bundle, loaded when they are asked for.
import { fileURLToPath } from 'node:url';

/** By name: which package imports it, and what of it. */
const libraries = {
  undici: { importer: 'adapters-api', names: 'buildConnector, EnvHttpProxyAgent, Pool, request' },
  'google-auth-library': { importer: 'adapters-api', names: 'GoogleAuth' },
  unbash: { importer: 'tool-host', names: 'forEachChild, parse' },
};

/** Leaves them to files of their own. */
export const separateLibraries = {
  name: 'separate-libraries',
  setup(bundler) {
    bundler.onResolve({ filter: /^(?:undici|google-auth-library|unbash)$/ }, ({ path }) => ({
      path: `./${path}.cjs`,
      external: true,
    }));
  },
};

/** The options of esbuild that make each of the files. */
export function libraryBuilds({ directory, options }) {
  return Object.entries(libraries).map(([name, { importer, names }]) => ({
    ...options,
    stdin: {
      contents: `export { ${names} } from '${name}';`,
      resolveDir: fileURLToPath(new URL(`../../../packages/${importer}`, import.meta.url)),
    },
    outfile: `${directory}/${name}.cjs`,
  }));
}

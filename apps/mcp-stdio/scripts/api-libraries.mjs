// The libraries that only calls of the Gemini API itself need: files of their own in the bundle, loaded when they are asked for.
import { fileURLToPath } from 'node:url';

/** By what imports them, and what of each is used. */
const libraries = {
  undici: 'buildConnector, EnvHttpProxyAgent, Pool, request',
  'google-auth-library': 'GoogleAuth',
};

const resolveDir = fileURLToPath(new URL('../../../packages/adapters-api', import.meta.url));

/** Leaves them to files of their own. */
export const separateApiLibraries = {
  name: 'separate-api-libraries',
  setup(bundler) {
    bundler.onResolve({ filter: /^(?:undici|google-auth-library)$/ }, ({ path }) => ({
      path: `./${path}.cjs`,
      external: true,
    }));
  },
};

/** The options of esbuild that make each of the files. */
export function apiLibraryBuilds({ directory, options }) {
  return Object.entries(libraries).map(([name, names]) => ({
    ...options,
    stdin: { contents: `export { ${names} } from '${name}';`, resolveDir },
    outfile: `${directory}/${name}.cjs`,
  }));
}

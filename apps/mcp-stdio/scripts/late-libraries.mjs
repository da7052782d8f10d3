// The libraries that only some calls need, those of the Gemini API itself, those of Gemini's work on a project and what speaks with other
// servers: files of their own in the bundle, loaded when they are asked for.
import { fileURLToPath } from 'node:url';

/** By name: which package imports it, what of it, and the file where that has another name. */
const libraries = {
  undici: { importer: 'adapters-api', names: '{ Agent, buildConnector, EnvHttpProxyAgent, fetch, Pool, request }' },
  'google-auth-library': { importer: 'adapters-api', names: '{ GoogleAuth, Impersonated }' },
  unbash: { importer: 'agent-tools', names: '{ forEachChild, parse }' },
  '@gemini-mcp/upstreams': { importer: 'gemini', names: '*', file: 'upstreams' },
};

/** Leaves them to files of their own. */
export const separateLibraries = {
  name: 'separate-libraries',
  setup(bundler) {
    bundler.onResolve({ filter: /^(?:undici|google-auth-library|@gemini-mcp\/upstreams)$/ }, ({ path }) => ({
      path: `./${libraries[path].file ?? path}.cjs`,
      external: true,
    }));
    // Modules that also read files import it, and must not load it for that. A failed load, for example without file
    // descriptors, is retried at the next call: a module that failed once would fail forever.
    bundler.onResolve({ filter: /^unbash$/ }, ({ path }) => ({ path, namespace: 'late-library' }));
    bundler.onResolve({ filter: /\.cjs$/, namespace: 'late-library' }, ({ path }) => ({ path, external: true }));
    bundler.onLoad({ filter: /.*/, namespace: 'late-library' }, ({ path }) => ({
      contents: libraries[path].names
        .match(/\w+/g)
        .map((name) => `export const ${name} = (...given) => require('./${path}.cjs').${name}(...given);`)
        .join('\n'),
    }));
    // The system's own build, if installed.
    bundler.onResolve({ filter: /^@napi-rs\/keyring$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** What speaks with other servers finds Google's library in the file that the API has it from. */
const shareGoogle = {
  name: 'share-google',
  setup(bundler) {
    bundler.onResolve({ filter: /^google-auth-library$/ }, ({ path }) => ({ path: `./${path}.cjs`, external: true }));
  },
};

/** The options of esbuild that make each of the files. */
export function libraryBuilds({ directory, options }) {
  return Object.entries(libraries).map(([name, { importer, names, file = name }]) => ({
    ...options,
    // The main file of jsonc-parser asks for its others in a way that no bundler understands.
    mainFields: ['module', 'main'],
    plugins: [...options.plugins, ...(file === 'upstreams' ? [shareGoogle] : [])],
    stdin: {
      contents: `export ${names} from '${name}';`,
      resolveDir: fileURLToPath(new URL(`../../../packages/${importer}`, import.meta.url)),
    },
    outfile: `${directory}/${file}.cjs`,
  }));
}

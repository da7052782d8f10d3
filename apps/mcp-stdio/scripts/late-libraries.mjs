// The libraries that only some calls need, those of the Gemini API itself, those of Gemini's work on a project, what speaks with other
// servers or a shared store and what reads YAML: files of their own in the bundle, loaded when they are asked for.
import { fileURLToPath } from 'node:url';

/** By name: which package imports it, its names that are used (all if missing), and the file if that has another name. */
const libraries = {
  undici: {
    importer: 'adapters-api',
    names: ['Agent', 'buildConnector', 'EnvHttpProxyAgent', 'fetch', 'Pool', 'request'],
  },
  'google-auth-library': { importer: 'adapters-api', names: ['GoogleAuth', 'Impersonated'] },
  unbash: { importer: 'agent-tools', names: ['forEachChild', 'parse'] },
  yaml: { importer: 'upstreams', names: ['parseDocument'] },
  '@gemini-mcp/adapters-valkey': { importer: 'server', names: ['ValkeyRecordStore'], file: 'valkey' },
  '@gemini-mcp/upstreams': { importer: 'gemini', file: 'upstreams' },
};

/** Leaves them to files of their own. */
export const separateLibraries = {
  name: 'separate-libraries',
  setup(bundler) {
    bundler.onResolve({ filter: /^(?:undici|google-auth-library|@gemini-mcp\/upstreams)$/ }, ({ path }) => ({
      path: `./${libraries[path].file ?? path}.cjs`,
      external: true,
    }));
    // Modules that also read files import it, and must not load it for that.
    loadWhenCalled(bundler, /^(?:unbash|@gemini-mcp\/adapters-valkey)$/);
  },
};

/**
 * Loads a library at the first call of one of its functions or classes, not with its importer. A failed load, for example without file
 * descriptors, is retried at the next call: a module that failed once would fail forever.
 */
function loadWhenCalled(bundler, filter) {
  bundler.onResolve({ filter }, ({ path }) => ({ path, namespace: 'late-library' }));
  bundler.onResolve({ filter: /\.cjs$/, namespace: 'late-library' }, ({ path }) => ({ path, external: true }));
  bundler.onLoad({ filter: /.*/, namespace: 'late-library' }, ({ path }) => ({
    contents: libraries[path].names
      .map((name) => {
        const own = `require('./${libraries[path].file ?? path}.cjs').${name}`;
        return `export function ${name}(...given) { return new.target ? new (${own})(...given) : ${own}(...given); }`;
      })
      .join('\n'),
  }));
}

/** The upstreams share Google's library with the API, and need YAML for imports only. */
const librariesOfUpstreams = {
  name: 'libraries-of-upstreams',
  setup(bundler) {
    bundler.onResolve({ filter: /^google-auth-library$/ }, ({ path }) => ({ path: `./${path}.cjs`, external: true }));
    loadWhenCalled(bundler, /^yaml$/);
  },
};

/** What the libraries load and nothing of ours calls: the main file of undici asks for all of its parts, and gaxios for streams that Node has. */
const uncalled = {
  'undici/index.js': /^\.\/lib\/(?:mock|interceptor|cache|web\/(?:websocket|eventsource|cookies))\//,
  'fetch-blob/streams.cjs': /^web-streams-polyfill/,
};

const leaveOutUncalled = {
  name: 'leave-out-uncalled',
  setup(bundler) {
    for (const [importer, filter] of Object.entries(uncalled)) {
      bundler.onResolve({ filter }, ({ path, importer: file }) =>
        file.replaceAll('\\', '/').endsWith(`node_modules/${importer}`) ? { path, namespace: 'uncalled' } : undefined,
      );
    }
    bundler.onLoad({ filter: /.*/, namespace: 'uncalled' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** The options of esbuild that make each of the files. */
export function libraryBuilds({ directory, options }) {
  return Object.entries(libraries).map(([name, { importer, names, file = name }]) => ({
    ...options,
    // The main file of jsonc-parser asks for its others in a way that no bundler understands.
    mainFields: ['module', 'main'],
    plugins: [...options.plugins, leaveOutUncalled, ...(file === 'upstreams' ? [librariesOfUpstreams] : [])],
    stdin: {
      contents: `export ${names === undefined ? '*' : `{ ${names.join(', ')} }`} from '${name}';`,
      resolveDir: fileURLToPath(new URL(`../../../packages/${importer}`, import.meta.url)),
    },
    outfile: `${directory}/${file}.cjs`,
  }));
}

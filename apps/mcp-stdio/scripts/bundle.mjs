// Bundles the server into a few files without dependencies. The first answer needs two of them.
import { chmod, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { libraryBuilds, separateLibraries } from './late-libraries.mjs';
import { writeTools } from './write-tools.mjs';

const root = new URL('..', import.meta.url);

/** The SDK imports its JSON Schema validator (ajv) even where another one is given, as we do. */
const leaveOutAjv = {
  name: 'leave-out-ajv',
  setup(bundler) {
    bundler.onResolve({ filter: /validation\/ajv-provider/ }, () => ({ path: 'ajv-provider', namespace: 'left-out' }));
    bundler.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: 'export class AjvJsonSchemaValidator { constructor() { throw new Error("left out of the bundle"); } }',
    }));
  },
};

/** Each in a file of its own: what a client's handshake does not wait for, and what Node is to keep compiled. */
const separateFiles = {
  name: 'separate-files',
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\/(?:serve|late)\.ts$/ }, ({ path }) => ({
      path: path.replace(/ts$/, 'cjs'),
      external: true,
    }));
    bundler.onResolve({ filter: /\/(?:legacy|modern)-connection\.ts$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path: eraFiles[basename(path)], external: true } : undefined,
    );
  },
};

/** Which file has the code of an era: calls need most of the modern one's anyway. */
const eraFiles = { 'legacy-connection.ts': './legacy.cjs', 'modern-connection.ts': './late.cjs' };

/** What lists tools, and checks their arguments and results, comes from the file that each list and each call needs anyway. */
const lateFunctions = { 'loaded-surface': ['makeReady'], 'run-call': ['runCall'] };

const useToolsLate = {
  name: 'use-tools-late',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]mcp[\\/]src[\\/]handlers[\\/](?:loaded-surface|run-call)\.ts$/ }, ({ path }) => ({
      contents: lateFunctions[basename(path, '.ts')]
        .map((name) => `export const ${name} = async (...given) => (await import('./late.ts')).${name}(...given);`)
        .join('\n'),
      resolveDir: dirname(path),
    }));
  },
};

const options = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // CommonJS starts faster: Node need not load what it reads ECMAScript modules with.
  format: 'cjs',
  supported: { 'dynamic-import': false },
  minify: true,
  conditions: ['@gemini-mcp/source'],
  legalComments: 'eof',
  metafile: true,
};

const plugins = [leaveOutAjv, separateFiles, separateLibraries];

/** Without it zod compiles a function for each schema that it meets, which takes longer than all that one server parses. */
const interpretSchemas = 'globalThis.__zod_globalConfig={jitless:true};';

const outputs = [
  { source: 'src/main.ts', file: 'gemini-mcp-server', banner: '#!/usr/bin/env node', further: [] },
  { source: 'src/serve.ts', file: 'serve', banner: '', further: [] },
  {
    source: '../../packages/mcp/src/edges/legacy/stdio/legacy-connection.ts',
    file: 'legacy',
    banner: interpretSchemas,
    further: [useToolsLate],
  },
  { source: 'src/late.ts', file: 'late', banner: interpretSchemas, further: [] },
];

const metafiles = [];
for (const { source, file, banner, further } of outputs) {
  const outfile = fileURLToPath(new URL(`dist/${file}.cjs`, root));
  const entryPoints = [fileURLToPath(new URL(source, root))];
  const made = { ...options, plugins: [...plugins, ...further], entryPoints, outfile, banner: { js: banner } };
  metafiles.push((await build(made)).metafile);
}
for (const library of libraryBuilds({
  directory: fileURLToPath(new URL('dist', root)),
  options: { ...options, plugins: [leaveOutAjv] },
})) {
  metafiles.push((await build(library)).metafile);
}
const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
await writeFile(new URL('dist/bundle-inputs.json', root), JSON.stringify(inputs));
await chmod(fileURLToPath(new URL('dist/gemini-mcp-server.cjs', root)), 0o755);
await writeTools(fileURLToPath(new URL('dist', root)));

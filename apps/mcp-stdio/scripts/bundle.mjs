// Bundles the server into one file: a single read at start, and no dependencies to install.
import { chmod, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url);
const outfile = fileURLToPath(new URL('dist/gemini-mcp-server.cjs', root));

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

/**
 * The SDK builds the schemas of the whole protocol, client and server, as soon as it is loaded. The annotation tells the
 * bundler that building one has no other effect, so that those that nobody uses can go.
 */
const leaveOutUnusedSchemas = {
  name: 'leave-out-unused-schemas',
  setup(bundler) {
    bundler.onLoad({ filter: /sdk\/dist\/esm\/types\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const statement = /^((?:export )?const \w+Schema = )((?:z\b|\w+Schema\.)[\s\S]*?);\n(?=[\w/])/gm;
      return { contents: source.replace(statement, '$1/* @__PURE__ */ (() => $2)();\n') };
    });
  },
};

const options = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // CommonJS starts faster: Node need not load what it reads ECMAScript modules with.
  format: 'cjs',
  minify: true,
  conditions: ['@gemini-mcp/source'],
  legalComments: 'eof',
};

/**
 * What only calls and commands need goes into the file as text that is compiled when the first one comes: V8 reads through
 * every function of a file before it runs the first, and that took as long as half of a bare Node start.
 */
const compileLate = {
  name: 'compile-late',
  setup(bundler) {
    bundler.onResolve({ filter: /\/late\.ts$/ }, () => ({ path: 'late', namespace: 'late' }));
    bundler.onLoad({ filter: /.*/, namespace: 'late' }, async () => {
      const entryPoints = [fileURLToPath(new URL('src/late.ts', root))];
      const { outputFiles } = await build({ ...options, entryPoints, write: false });
      const [{ text }] = outputFiles;
      return {
        contents: `
          import { compileFunction } from 'node:vm';
          const late = { exports: {} };
          const run = compileFunction(${JSON.stringify(text)}, ['module', 'exports', 'require'], { filename: 'late.cjs' });
          run(late, late.exports, require);
          export const { runOperatorCommand, startServer } = late.exports;
        `,
      };
    });
  },
};

await build({
  ...options,
  entryPoints: [fileURLToPath(new URL('src/main.ts', root))],
  outfile,
  plugins: [leaveOutAjv, leaveOutUnusedSchemas, compileLate],
  banner: { js: '#!/usr/bin/env node' },
});
await chmod(outfile, 0o755);

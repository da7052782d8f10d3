// Bundles the server into one file, and two more for calls of the Gemini API, so that no dependencies are to be installed.
import { chmod } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { apiLibraryBuilds, separateApiLibraries } from '../../../scripts/api-libraries.mjs';

const root = new URL('..', import.meta.url);
const outfile = fileURLToPath(new URL('dist/gemini-mcp-server-http.cjs', root));

const options = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  minify: true,
  conditions: ['@gemini-mcp/source'],
  legalComments: 'eof',
};

await build({
  ...options,
  // Each is loaded with the first call that needs it.
  supported: { 'dynamic-import': false },
  entryPoints: [fileURLToPath(new URL('src/main.ts', root))],
  outfile,
  banner: { js: '#!/usr/bin/env node' },
  plugins: [separateApiLibraries],
});
for (const library of apiLibraryBuilds({ directory: fileURLToPath(new URL('dist', root)), options })) {
  await build(library);
}
await chmod(outfile, 0o755);

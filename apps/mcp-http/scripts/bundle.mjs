// Bundles the server into one file, so that no dependencies are to be installed.
import { chmod, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url);
const outfile = fileURLToPath(new URL('dist/gemini-mcp-server-http.cjs', root));

const { metafile } = await build({
  entryPoints: [fileURLToPath(new URL('src/main.ts', root))],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  minify: true,
  conditions: ['@gemini-mcp/source'],
  // The main file of jsonc-parser asks for its others in a way that no bundler understands.
  mainFields: ['module', 'main'],
  legalComments: 'eof',
  metafile: true,
  banner: { js: '#!/usr/bin/env node' },
});
await writeFile(new URL('dist/bundle-inputs.json', root), JSON.stringify(Object.keys(metafile.inputs)));
await chmod(outfile, 0o755);

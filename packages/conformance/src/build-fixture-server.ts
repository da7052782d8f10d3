import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles the fixture server into one file in this directory, since Node 20 cannot run TypeScript. Resolves to its path. */
export async function buildFixtureServer(directory: string): Promise<string> {
  const outfile = join(directory, 'fixture-server.cjs');
  await build({
    entryPoints: [fileURLToPath(new URL('fixture-server.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    conditions: ['@gemini-mcp/source'],
    minify: true,
    logLevel: 'error',
  });
  return outfile;
}

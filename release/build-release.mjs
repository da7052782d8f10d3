// `npm run release -- <directory>`: builds everything that a release consists of: the tarballs in `npm`, the assets of the release on GitHub
// in `assets`, and the entry of the MCP registry.
import { createHash } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { rootDirectory } from '../scripts/run-step.mjs';
import { declaration } from './declaration.mjs';
import { serverJson } from './manifests.mjs';
import { buildBundle } from './mcp-bundle.mjs';
import { packPackages } from './npm-packages.mjs';

const directory = resolve(process.argv[2] ?? 'out');
const assets = join(directory, 'assets');
await packPackages(join(directory, 'npm'));
const bundle = await buildBundle(assets);
for (const [app, name] of [
  ['mcp-stdio', declaration.name],
  ['mcp-http', `${declaration.name}-http`],
]) {
  await copyFile(join(rootDirectory, 'apps', app, 'dist/sbom.cdx.json'), join(assets, `${name}.cdx.json`));
}
const entry = {
  registryType: 'mcpb',
  identifier: `${declaration.repository}/releases/download/v${declaration.version}/${basename(bundle)}`,
  version: declaration.version,
  fileSha256: createHash('sha256')
    .update(await readFile(bundle))
    .digest('hex'),
  transport: { type: 'stdio' },
};
await writeFile(join(directory, 'server.json'), `${JSON.stringify(serverJson([entry]), null, 2)}\n`);

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The directory of the registry's installed servers. */
const installed = createRequire(new URL('../../../upstreams/package.json', import.meta.url));

const scope = '@modelcontextprotocol';

/** The configuration entry for a server of the registry, such as `everything` or `memory`: unmodified, and started without a network. */
export function realServer(
  name: 'everything' | 'filesystem' | 'memory' | 'sequential-thinking',
  ...words: readonly string[]
): { readonly command: string; readonly args: readonly string[] } {
  const manifest = installed.resolve(`${scope}/server-${name}/package.json`);
  return { command: process.execPath, args: [join(dirname(manifest), 'dist/index.js'), ...words] };
}

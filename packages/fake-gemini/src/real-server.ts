import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Where the servers of the registry are installed. */
const installed = createRequire(new URL('../../upstreams/package.json', import.meta.url));

const scope = '@modelcontextprotocol';

/** The entry of a server of the registry in settings, such as `everything` or `memory`: unmodified, and started without a network. */
export function realServer(
  name: 'everything' | 'filesystem' | 'memory' | 'sequential-thinking',
  ...words: readonly string[]
): { readonly command: string; readonly args: readonly string[] } {
  const manifest = installed.resolve(`${scope}/server-${name}/package.json`);
  return { command: process.execPath, args: [join(dirname(manifest), 'dist/index.js'), ...words] };
}

import { compiledCodeDirectory } from './compiled-code-directory.ts';
import { CompiledModules } from './compiled-modules.ts';

type Server = typeof import('./serve.ts');

// The compiled code of this file itself is not kept, so it only loads the others.
process.umask(0o077);
const directory = compiledCodeDirectory({ environment: process.env, args: process.argv.slice(2) });
if (directory === null) {
  void import('./serve.ts').then(({ start }) => start({ onLoaded: () => undefined }));
} else {
  const modules = new CompiledModules({
    bundle: __dirname,
    names: ['serve.cjs', 'legacy.cjs', 'late.cjs', 'undici.cjs', 'unbash.cjs', 'upstreams.cjs'],
    directory,
  });
  const { start } = modules.load('serve.cjs') as Server;
  start({ onLoaded: () => modules.keep() });
}

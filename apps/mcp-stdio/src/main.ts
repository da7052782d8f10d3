import { cacheCompiledCode } from './cache-compiled-code.ts';

// What is compiled before the cache is there is not in it: so this file does nothing else, and the rest is loaded by it.
process.umask(0o077);
cacheCompiledCode({ environment: process.env, args: process.argv.slice(2) });
void import('./serve.ts');

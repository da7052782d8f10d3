// For `node --import`: the conformance suite imports `globSync` from `fs`, which Node 20 lacks, for a command that we do not use.
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  register(import.meta.url);
}

const source = `
  export * from 'node:fs';
  export { default } from 'node:fs';
  export function globSync() { throw new Error('fs.globSync is left out here'); }
`;
const standIn = `data:text/javascript,${encodeURIComponent(source)}`;

export function resolve(specifier, context, nextResolve) {
  const isSuite = context.parentURL?.includes('/@modelcontextprotocol/conformance/dist/');
  return specifier === 'fs' && isSuite ? { url: standIn, shortCircuit: true } : nextResolve(specifier, context);
}

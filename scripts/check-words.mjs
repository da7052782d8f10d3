// Fails if documents, comments or strings contain stilted words, and names each with a plain one. Its test passes a directory.
import { rootDirectory } from './run-step.mjs';
import { findInTree } from './stilted-words.mjs';

const found = findInTree(process.argv[2] ?? rootDirectory);

for (const { name, line, word, plain, text } of found) {
  console.error(`${name}:${line}: "${word}" (${plain}): ${text.slice(0, 120)}`);
}
console.log(`${found.length} stilted words.`);
process.exitCode = found.length > 0 ? 1 : 0;

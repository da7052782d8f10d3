import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { geminiCliUnderTest } from './gemini-cli-under-test.ts';

/**
 * Copies the real CLI to a directory that does not exist yet, and makes the copy ignore every policy: the other safeguards
 * have to hold alone. Resolves to its script.
 */
export async function copyGeminiCliWithoutPolicy(directory: string): Promise<string> {
  await cp(join(dirname(geminiCliUnderTest), '..'), directory, { recursive: true, dereference: true });
  const script = join(directory, 'bundle', 'gemini.js');
  const [shebang = '', ...lines] = (await readFile(script, 'utf8')).split('\n');
  const withoutPolicy = 'process.argv = process.argv.filter((word) => !/^--(?:admin-)?policy=/.test(word));';
  await writeFile(script, [shebang, withoutPolicy, ...lines].join('\n'));
  return script;
}

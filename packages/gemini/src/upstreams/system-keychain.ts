// Whole: many bundles declare `createRequire` in their banner.
import * as nodeModule from 'node:module';
import { containCommand, runProgram } from '@gemini-mcp/adapters-node/internal';
import type { Keychain, KeychainRead } from '@gemini-mcp/core/internal';

export type SystemKeychainOptions = {
  /** The name of this use of the keychain: secrets have names of their own within it. */
  readonly service: string;
  /** What a user can do where the keychain cannot be used. */
  readonly advice: string;
};

/** The keychain of the secrets that settings refer to. */
export const secretsKeychain: SystemKeychainOptions = {
  service: 'gemini-mcp-server',
  advice: 'Unlock it, or use file: instead.',
};

/** The keychain of the keys that logins are sealed with. Settings cannot name one of these, and so cannot send it anywhere. */
export const loginsKeychain: SystemKeychainOptions = {
  service: 'gemini-mcp-server logins',
  advice: 'Unlock it, or keep logins in files that only you can read: GEMINI_MCP_CREDENTIALS=file.',
};

/** With the start of the process that asks. A keychain may wait for its user to unlock it, who is not there. */
const maxWaitMs = 5_000;

type Question = {
  readonly method: 'getPassword' | 'setPassword' | 'deletePassword';
  /** The name of the secret. */
  readonly name: string;
  readonly secret?: string;
};

type Answer = { readonly ok: true; readonly value?: unknown } | { readonly ok: false; readonly reason: string };

/**
 * Asks the library whose path is its argument the question of its input, and prints the answer. On Linux it asks the desktop: the library would fall back
 * to the kernel's keyring, which forgets everything when the machine is restarted.
 */
const asking = `
const { Entry } = require(process.argv[1]);
const { service, name, method, secret } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const answer = () => {
  try {
    const entry = new Entry(service, name, { linux: { store: 'secret-service' } });
    return { ok: true, value: secret === undefined ? entry[method]() : entry[method](secret) };
  } catch (error) {
    return { ok: false, reason: error.message };
  }
};
process.stdout.write(JSON.stringify(answer()));
`;

/**
 * The keychain of the system, or of the desktop on Linux: what this program keeps in it under one name of a service. A process of its own asks it, because
 * a desktop that does not answer blocks the library's thread, which nothing can interrupt.
 */
export class SystemKeychain implements Keychain {
  readonly #options: SystemKeychainOptions;

  constructor(options: SystemKeychainOptions) {
    this.#options = options;
  }

  async read(name: string): Promise<KeychainRead> {
    const asked = await this.#ask({ method: 'getPassword', name });
    if (!asked.ok) {
      return { type: 'unavailable', reason: asked.reason };
    }
    return typeof asked.value === 'string' ? { type: 'found', secret: asked.value } : { type: 'none' };
  }

  async write(name: string, secret: string): Promise<string | null> {
    const asked = await this.#ask({ method: 'setPassword', name, secret });
    return asked.ok ? null : asked.reason;
  }

  async remove(name: string): Promise<string | null> {
    const asked = await this.#ask({ method: 'deletePassword', name });
    return asked.ok ? null : asked.reason;
  }

  async #ask(question: Question): Promise<Answer> {
    const { service, advice } = this.#options;
    const library = findKeyring();
    if (library === null) {
      return { ok: false, reason: `No keychain is available: @napi-rs/keyring is not installed. ${advice}` };
    }
    const answer = await runAsking(library, { service, ...question });
    return answer.ok ? answer : { ok: false, reason: `The keychain cannot be used: ${answer.reason}. ${advice}` };
  }
}

/** The path of the library; null if it is not installed. */
function findKeyring(): string | null {
  try {
    // The bundles of the servers are CommonJS, and have no `import.meta.url`.
    return nodeModule
      .createRequire(typeof __filename === 'string' ? __filename : import.meta.url)
      .resolve('@napi-rs/keyring');
  } catch {
    return null;
  }
}

async function runAsking(library: string, question: Question & { readonly service: string }): Promise<Answer> {
  const input = Buffer.from(JSON.stringify(question));
  // In Electron, this program is not Node unless the variable says so.
  const environment = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  try {
    const command = await containCommand({ file: process.execPath, arguments: ['-e', asking, library] });
    const run = { ...command, environment, input, timeoutMs: maxWaitMs, graceMs: 500 };
    const end = await runProgram(run, new AbortController().signal);
    return end.ran && end.exitCode === null ? silent : readAnswer(end.ran ? end.stdout : '');
  } catch {
    return readAnswer('');
  }
}

const silent: Answer = { ok: false, reason: `it did not answer within ${maxWaitMs / 1_000} s, and may be locked` };

function readAnswer(printed: string): Answer {
  if (printed === '') {
    return { ok: false, reason: 'its library does not start' };
  }
  const answer: Answer = JSON.parse(printed);
  return answer.ok ? answer : { ok: false, reason: answer.reason.replace(/\.+$/, '') };
}

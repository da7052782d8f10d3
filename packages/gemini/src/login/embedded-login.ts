import { namesLogin } from './find-login.ts';
import { LoginStore, type ReadLogin } from './stored-login.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The login of a program that may not wait when it is created. */
export type EmbeddedLogin = {
  /** With the stored key as GEMINI_API_KEY, if a file has it and the environment has no login. */
  readonly environment: Environment;
  /** Reads the key from the keychain, which each call waits for; null if the keychain does not have the login. */
  readonly fromKeychain: (() => Promise<ReadLogin>) | null;
};

/** Like `findLogin`, without waiting. */
export function findEmbeddedLogin(environment: Environment): EmbeddedLogin {
  const store = new LoginStore(environment);
  const read = store.look();
  if (read.type === 'refused') {
    process.emitWarning(`The stored login is not used: ${store.path} ${read.reason}.`);
  }
  if (read.type !== 'found' || namesLogin(environment)) {
    return { environment, fromKeychain: null };
  }
  return read.login.place === 'file'
    ? { environment: { ...environment, GEMINI_API_KEY: read.login.key }, fromKeychain: null }
    : { environment, fromKeychain: () => store.read() };
}

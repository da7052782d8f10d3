type FileFunction = (...words: unknown[]) => unknown;

export type DenialOptions = {
  /** A function of `node:fs` that takes a path first. */
  readonly real: FileFunction;
  readonly name: string;
  /** How it tells its result. */
  readonly way: 'callback' | 'sync' | 'promise';
  readonly isDenied: (path: unknown) => boolean;
};

/** The function, for which what is denied is not there. Runs inside the CLI. */
export function createDenial({ real, name, way, isDenied }: DenialOptions): FileFunction {
  const missing = (path: unknown): Error => {
    const syscall = name.replace('Sync', '');
    const message = `ENOENT: no such file or directory, ${syscall} '${String(path)}'`;
    return Object.assign(new Error(message), { errno: -2, code: 'ENOENT', syscall, path: String(path) });
  };
  const deny = (words: readonly unknown[]): unknown => {
    const callback = words.at(-1);
    if (name === 'existsSync') {
      return false;
    }
    if (way === 'promise') {
      return Promise.reject(missing(words[0]));
    }
    if (way === 'callback' && typeof callback === 'function') {
      process.nextTick(() => (name === 'exists' ? callback(false) : callback(missing(words[0]))));
      return undefined;
    }
    if (Object(words[1]).throwIfNoEntry === false) {
      return undefined;
    }
    throw missing(words[0]);
  };
  const wrap = (inner: FileFunction): FileFunction =>
    function (this: unknown, ...words: unknown[]): unknown {
      return isDenied(words[0]) ? deny(words) : inner.apply(this, words);
    };
  const wrapped = Object.defineProperties(wrap(real), Object.getOwnPropertyDescriptors(real));
  const native: unknown = Object(real).native;
  return typeof native === 'function' ? Object.assign(wrapped, { native: wrap(native as FileFunction) }) : wrapped;
}

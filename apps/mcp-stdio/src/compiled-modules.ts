import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** As Node wraps a CommonJS module. */
const wrapper = '(function (exports, require, module, __filename, __dirname) { ';

type Compiled = { readonly script: Script; readonly file: CompiledFile; readonly isKept: boolean };

type ModuleFunction = (
  exports: object,
  require: (id: string) => unknown,
  module: { exports: object },
  filename: string,
  directory: string,
) => void;

/**
 * The files of the bundle as modules, made of what V8 compiled of them at an earlier start. Node's own cache, which it has from
 * 22.1 on, holds fewer functions: a start by this one takes less time.
 */
export class CompiledModules {
  readonly #bundle: string;
  readonly #directory: string;
  readonly #names: ReadonlySet<string>;
  /** Whether later modules are kept at once: the start is over. */
  #keepsAtOnce = false;
  readonly #loaded = new Map<string, Compiled & { readonly exports: object }>();

  constructor(options: { readonly bundle: string; readonly names: readonly string[]; readonly directory: string }) {
    this.#bundle = options.bundle;
    this.#directory = options.directory;
    this.#names = new Set(options.names);
  }

  /** Once each. */
  load(name: string): object {
    const known = this.#loaded.get(name);
    if (known !== undefined) {
      return known.exports;
    }
    const path = join(this.#bundle, name);
    const compiled = this.#compile(path);
    const module = { exports: {} };
    const require = createRequire(path);
    const requireAny = (id: string): unknown => {
      const sibling = id.replace(/^\.\//, '');
      return this.#names.has(sibling) ? this.load(sibling) : require(id);
    };
    const run: ModuleFunction = compiled.script.runInThisContext();
    run(module.exports, requireAny, module, path, dirname(path));
    this.#loaded.set(name, { ...compiled, exports: module.exports });
    if (this.#keepsAtOnce) {
      setImmediate(() => keep(compiled));
    }
    return module.exports;
  }

  /** Saves the compiled code of files that were not in the cache, and of files loaded later. */
  keep(): void {
    this.#keepsAtOnce = true;
    this.#loaded.forEach(keep);
  }

  #compile(path: string): Compiled {
    const source = readFileSync(path);
    const file = new CompiledFile({ path, source, directory: this.#directory });
    const cachedData = file.read();
    const script = new Script(`${wrapper}${source.toString()}\n})`, {
      filename: path,
      columnOffset: -wrapper.length,
      ...(cachedData && { cachedData }),
    });
    return { script, file, isKept: cachedData !== undefined && script.cachedDataRejected !== true };
  }
}

function keep({ script, file, isKept }: Compiled): void {
  if (!isKept) {
    file.write(script.createCachedData());
  }
}

type CompiledFileOptions = {
  /** The file of code that was compiled. */
  readonly path: string;
  readonly source: Buffer;
  /** The cache directory. */
  readonly directory: string;
};

const checksumBytes = 4;

/** Up to three for each version of the server and of Node. Older ones belong to removed versions or killed servers. */
const maxEntries = 24;

/**
 * The code that V8 compiled from one file, as kept on the disk. V8 refuses code of another V8 version or with other flags,
 * but checks nothing else: one wrong byte ends the process, at every start from then on. So a checksum precedes the bytes,
 * and the name contains the checksum of the source.
 */
export class CompiledFile {
  readonly #directory: string;
  readonly #path: string;

  constructor({ path, source, directory }: CompiledFileOptions) {
    const name = [basename(path), process.version, process.arch, source.length, crc32(source).toString(16)].join('-');
    this.#directory = directory;
    this.#path = join(directory, name);
  }

  /** Undefined if missing, damaged, or writable by another user. */
  read(): Buffer | undefined {
    try {
      const bytes = readOwn(this.#path);
      const code = bytes?.subarray(checksumBytes);
      return code !== undefined && crc32(code) === bytes?.readUInt32LE(0) ? code : undefined;
    } catch {
      return undefined;
    }
  }

  /** Replaces the cache file. If that fails, the code is not cached. */
  write(code: Buffer): void {
    const checksum = Buffer.alloc(checksumBytes);
    checksum.writeUInt32LE(crc32(code));
    const unfinished = `${this.#path}-${process.pid}`;
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      removeOverfull(this.#directory);
      writeFileSync(unfinished, Buffer.concat([checksum, code]), { mode: 0o600, flag: 'wx' });
      renameSync(unfinished, this.#path);
    } catch {
      remove(unfinished);
    }
  }
}

/** Checks the open file, so that no directory above it can be exchanged in between. */
function readOwn(path: string): Buffer | null {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(descriptor);
    const mayOthersWrite =
      process.getuid !== undefined && (stats.uid !== process.getuid() || (stats.mode & 0o022) !== 0);
    return stats.isFile() && !mayOthersWrite ? readFileSync(descriptor) : null;
  } finally {
    closeSync(descriptor);
  }
}

function removeOverfull(directory: string): void {
  const names = readdirSync(directory);
  if (names.length >= maxEntries) {
    for (const name of names) {
      remove(join(directory, name));
    }
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Another server is doing the same, or the path is not a directory.
  }
}

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
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';

export type CompiledFileOptions = {
  /** The file of code that was compiled. */
  readonly path: string;
  readonly source: Buffer;
  /** Where compiled code is kept. */
  readonly directory: string;
};

const checksumBytes = 4;

/** Up to three of each version of the server and of Node. What is beyond that is of versions that are gone, or was left by a killed server. */
const maxEntries = 24;

/**
 * What V8 has compiled of one file, as it is kept on the disk. V8 itself refuses what another version of it has compiled, or
 * with other flags, but nothing else: one wrong byte ends the process, at each start from then on. So a checksum goes
 * before the bytes, and the name holds that of the source.
 */
export class CompiledFile {
  readonly #directory: string;
  readonly #path: string;

  constructor({ path, source, directory }: CompiledFileOptions) {
    const name = [basename(path), process.version, process.arch, source.length, crc32(source).toString(16)].join('-');
    this.#directory = directory;
    this.#path = join(directory, name);
  }

  /** Undefined where there is none, where it is damaged, and where another user could have written it. */
  read(): Buffer | undefined {
    try {
      const bytes = readOwn(this.#path);
      const code = bytes?.subarray(checksumBytes);
      return code !== undefined && crc32(code) === bytes?.readUInt32LE(0) ? code : undefined;
    } catch {
      return undefined;
    }
  }

  /** Replaces the kept file. Where that is not possible, nothing is kept. */
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

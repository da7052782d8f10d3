import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { absentUnlessShort } from '../../process/system-shortage.ts';

/** A user's settings of npm are a few lines. */
const maxSettingsBytes = 65_536;

/**
 * Where npm installs global packages by the user's own `.npmrc`; null where that says nothing. The variables of npm do not
 * count: npm exports in them what the `.npmrc` of a project says.
 */
export async function readNpmPrefix(home: string): Promise<string | null> {
  const lines = (await readBeginning(join(home, '.npmrc'))).split(/\r?\n/);
  const values = lines.flatMap((line) => /^\s*prefix\s*=\s*(.*?)\s*$/.exec(line)?.[1] ?? []);
  const value = values.at(-1)?.replace(/^(["'])(.*)\1$/, '$2') ?? '';
  const prefix = value.replace(/^(?:~|\$\{HOME\})(?=[/\\]|$)/, () => home);
  return isAbsolute(prefix) ? prefix : null;
}

async function readBeginning(path: string): Promise<string> {
  // Not blocking, and only a regular file: neither the opening nor a read of a pipe would end.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(absentUnlessShort);
  if (file === null) {
    return '';
  }
  try {
    const { buffer, bytesRead } = (await file.stat()).isFile()
      ? await file.read(Buffer.alloc(maxSettingsBytes), 0, maxSettingsBytes, 0)
      : { buffer: Buffer.alloc(0), bytesRead: 0 };
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

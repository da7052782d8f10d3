import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../../processes/run-program.ts';

/** The two ends of a pipe as descriptors of this process. The owner closes them. */
export type Pipe = {
  readonly readEnd: number;
  readonly writeEnd: number;
};

export type MakePipesOptions = {
  readonly mkfifo: string;
  /** Private, and without names that end in `.pipe`. */
  readonly directory: string;
  readonly count: number;
};

/**
 * Creates real pipes. Node's pipes to children are sockets: a program whose reader has gone gets a different error from them (`yes | head`
 * ends with a complaint), and `/dev/stdout` cannot be opened. Null if they could not be created.
 */
export async function makePipes({ mkfifo, directory, count }: MakePipesOptions): Promise<readonly Pipe[] | null> {
  const serial = nextSerial();
  const paths = Array.from({ length: count }, (_, index) => join(directory, `${serial}-${index}.pipe`));
  const run = { file: mkfifo, arguments: ['-m', '600', ...paths], environment: {}, timeoutMs: 10_000 };
  const end = await runProgram(run, new AbortController().signal);
  return end.ran && end.exitCode === 0 ? openAll(paths) : null;
}

export function closePipe({ readEnd, writeEnd }: Pipe): void {
  closeSync(readEnd);
  closeSync(writeEnd);
}

let serial = 0;

function nextSerial(): number {
  serial += 1;
  return serial;
}

function openAll(paths: readonly string[]): readonly Pipe[] | null {
  const pipes: Pipe[] = [];
  try {
    for (const path of paths) {
      pipes.push(openBoth(path));
    }
    return pipes;
  } catch {
    pipes.forEach(closePipe);
    return null;
  }
}

/** With one end open in both directions, neither of the others waits for its partner. */
function openBoth(path: string): Pipe {
  const both = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  try {
    const readEnd = openSync(path, constants.O_RDONLY);
    return { readEnd, writeEnd: openSync(path, constants.O_WRONLY) };
  } finally {
    closeSync(both);
    unlinkSync(path);
  }
}

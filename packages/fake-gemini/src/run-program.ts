import { spawn } from 'node:child_process';

export type ProgramToRun = {
  /** A file that Node can run. */
  readonly file: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
};

export type ProgramEnd = {
  /** Null for one that was killed. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

const patienceMs = 60_000;

/** Runs a program to its end, its stdin an open pipe. One that does not end within a minute is killed. */
export async function runProgram({ file, args = [], cwd, environment }: ProgramToRun): Promise<ProgramEnd> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd,
    env: { ...environment },
    timeout: patienceMs,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exitCode = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { exitCode, stdout, stderr };
}

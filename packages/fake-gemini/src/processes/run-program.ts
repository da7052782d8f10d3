import { execa } from 'execa';

export type ProgramToRun = {
  /** A file that Node can run. */
  readonly file: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The whole stdin; an open pipe if missing. */
  readonly input?: string;
};

export type TestProgramEnd = {
  /** Null for a killed program. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** Runs a program to its end. Kills it after a minute. */
export async function runTestProgram({
  file,
  args = [],
  cwd,
  environment,
  input,
}: ProgramToRun): Promise<TestProgramEnd> {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [file, ...args], {
    ...{ cwd, env: environment, extendEnv: false, reject: false, stripFinalNewline: false },
    ...{ timeout: 60_000, killSignal: 'SIGKILL' },
    ...(input !== undefined && { input }),
  });
  return { exitCode: exitCode ?? null, stdout, stderr };
}

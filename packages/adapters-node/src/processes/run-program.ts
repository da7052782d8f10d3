import { startProgram } from './start-program.ts';

export type ProgramRun = {
  readonly file: string;
  readonly arguments: readonly string[];
  readonly cwd?: string;
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The program's whole standard input; empty if missing. */
  readonly input?: Uint8Array;
  readonly timeoutMs: number;
  /** How long the program may take to end by itself after SIGTERM; defaults to 5 s. */
  readonly graceMs?: number;
  /** How many characters of its output are kept; 1 MB of text if missing. */
  readonly maxOutputCharacters?: number;
  /** How its output is read: as text, or with one character for each byte. Text if missing. */
  readonly encoding?: 'utf8' | 'latin1';
};

export type ProgramEnd =
  /** `exitCode` is null for a program ended by a signal, including ours at the timeout. */
  | { readonly ran: true; readonly exitCode: number | null; readonly stdout: string }
  | { readonly ran: false; readonly error: unknown };

/** How long its pipes may still deliver after its end: programs that it started may hold them open for ever. */
const drainMs = 1_000;

/** The limit on kept output unless a run states another: most programs print less. */
const usualOutputCharacters = 1_048_576;

/** Runs a program to its end; an abort or the timeout ends it. Never rejects. */
export async function runProgram(run: ProgramRun, signal: AbortSignal): Promise<ProgramEnd> {
  const { file, environment, input, timeoutMs, cwd, graceMs = 5_000, encoding = 'utf8' } = run;
  const { maxOutputCharacters = usualOutputCharacters } = run;
  if (signal.aborted) {
    return { ran: false, error: signal.reason };
  }
  const start = startProgram(file, run.arguments, { env: { ...environment }, windowsHide: true, ...(cwd && { cwd }) });
  if (!start.started) {
    return { ran: false, error: await start.error };
  }
  const { child, closed } = start;
  let stdout = '';
  child.stdout.setEncoding(encoding).on('data', (text: string) => {
    stdout += text.slice(0, maxOutputCharacters - stdout.length);
  });
  child.stderr.resume();
  child.stdin.end(input);
  let grace: NodeJS.Timeout | undefined;
  const end = (): void => {
    child.kill('SIGTERM');
    grace ??= setTimeout(() => child.kill('SIGKILL'), graceMs);
  };
  const timeout = setTimeout(end, timeoutMs);
  let drain: NodeJS.Timeout | undefined;
  child.once('exit', () => {
    drain = setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
    }, drainMs);
  });
  signal.addEventListener('abort', end, { once: true });
  const { exitCode } = await closed;
  clearTimeout(timeout);
  clearTimeout(grace);
  clearTimeout(drain);
  signal.removeEventListener('abort', end);
  return { ran: true, exitCode, stdout };
}

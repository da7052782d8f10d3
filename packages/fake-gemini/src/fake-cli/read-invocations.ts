import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonRecord, type JsonRecord } from '@gemini-mcp/port-contracts/offline-api';

export type SpawnedChild = {
  readonly pid: number;
  /** Whether it leads its own session. */
  readonly isDetached: boolean;
};

/** One run of a fake CLI, up to now. */
export type CliInvocation = {
  /** Counts from 0 in order of start; null for a `--version` query, which does not count as a run. */
  readonly run: number | null;
  readonly pid: number;
  readonly parentPid: number;
  /** Null if the system does not report it. */
  readonly processGroup: number | null;
  /** Without the interpreter and the script. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly umask: number;
  /** The whole environment, values included. */
  readonly env: Readonly<Record<string, string>>;
  readonly startedAtMs: number;
  /** Present once stdin was read to its end. */
  readonly stdin: CliStdin | null;
  readonly children: readonly SpawnedChild[];
};

export type CliStdin = {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** The file with the complete stdin. */
  readonly file: string;
  readonly endedAtMs: number;
};

/** The runs of the fake CLI of a directory in order of start, without version queries; empty before the first. */
export async function readInvocations(directory: string): Promise<readonly CliInvocation[]> {
  return (await readAll(directory)).filter(({ run }) => run !== null);
}

/** Its `--version` queries, in order of start. */
export async function readVersionQueries(directory: string): Promise<readonly CliInvocation[]> {
  return (await readAll(directory)).filter(({ run }) => run === null);
}

async function readAll(directory: string): Promise<readonly CliInvocation[]> {
  const log = await readFile(join(directory, 'invocations.jsonl'), 'utf8').catch(() => '');
  // A line without an end is still being written.
  const lines = log.split('\n').slice(0, -1);
  const records = lines.map((line): unknown => JSON.parse(line)).filter(isJsonRecord);
  const started = records.filter(({ type }) => type === 'started');
  return started
    .map((record) => toInvocation(directory, record, records))
    .toSorted((a, b) => (a.run ?? 0) - (b.run ?? 0));
}

function toInvocation(directory: string, started: JsonRecord, records: readonly JsonRecord[]): CliInvocation {
  const run = typeof started['run'] === 'number' ? started['run'] : null;
  const own = records.filter(({ pid, run: other }) => pid === started['pid'] && other === started['run']);
  const stdin = own.find(({ type }) => type === 'stdin');
  return {
    run,
    pid: Number(started['pid']),
    parentPid: Number(started['ppid']),
    processGroup: typeof started['processGroup'] === 'number' ? started['processGroup'] : null,
    argv: Array.isArray(started['argv']) ? started['argv'].map(String) : [],
    cwd: String(started['cwd']),
    umask: Number(started['umask']),
    env: readEnvironment(started['env']),
    startedAtMs: Number(started['atMs']),
    stdin: stdin === undefined ? null : toStdin(join(directory, `run-${run}`, 'stdin'), stdin),
    children: own.filter(({ type }) => type === 'spawned').map(toChild),
  };
}

function readEnvironment(env: unknown): Readonly<Record<string, string>> {
  return isJsonRecord(env) ? Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])) : {};
}

function toStdin(file: string, record: JsonRecord): CliStdin {
  return {
    bytes: Number(record['bytes']),
    sha256: String(record['sha256']),
    file,
    endedAtMs: Number(record['atMs']),
  };
}

function toChild(record: JsonRecord): SpawnedChild {
  return { pid: Number(record['childPid']), isDetached: record['isDetached'] === true };
}

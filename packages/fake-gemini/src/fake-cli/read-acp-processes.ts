import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonRecord, type JsonRecord, recordsIn } from '@gemini-mcp/port-contracts/offline-api';
import { whenFound } from './when-invoked.ts';

/** A text that the fake received. */
export type AcpText = {
  /** In UTF-16 units. */
  readonly characters: number;
  /** Digest of its UTF-8 bytes, hexadecimal. */
  readonly sha256: string;
  /** Null if it was too long to keep. */
  readonly text: string | null;
};

export type AcpPart = AcpText & {
  /** For media, the base64 data take the place of the text. */
  readonly type: string;
  readonly mimeType: string | null;
};

export type AcpSessionRecord = {
  readonly id: string;
  readonly cwd: string;
  /** The history that `session/load` found, without the context that the CLI itself puts first; null for a new session. */
  readonly history: readonly (AcpText & { readonly role: 'user' | 'model' })[] | null;
};

export type AcpPrompt = {
  /** Counts from 0 in its process. */
  readonly number: number;
  readonly sessionId: string;
  /** The number of earlier prompts of the session. */
  readonly turn: number;
  /** The model of the session at that time. */
  readonly model: string;
  readonly parts: readonly AcpPart[];
  readonly atMs: number;
};

/** One process of a fake CLI in ACP mode, up to now; lists are in order of time. */
export type AcpProcessRecord = {
  /** Counts from 0 in order of start. */
  readonly number: number;
  readonly pid: number;
  readonly parentPid: number;
  /** Null if the system does not report it. */
  readonly processGroup: number | null;
  /** Without the interpreter and the script. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment, values included. */
  readonly env: Readonly<Record<string, string>>;
  readonly startedAtMs: number;
  /** The parameters of each `initialize`. */
  readonly initializations: readonly JsonRecord[];
  /** Requested sessions; the scenario decides whether they were opened. */
  readonly sessions: readonly AcpSessionRecord[];
  readonly prompts: readonly AcpPrompt[];
  readonly modelChanges: readonly { readonly sessionId: string; readonly modelId: string }[];
  readonly modeChanges: readonly { readonly sessionId: string; readonly modeId: string }[];
  readonly cancels: readonly { readonly sessionId: string; readonly wasRunning: boolean }[];
  /** The replies to `ask` steps: `{result}` or `{error}`. */
  readonly asked: readonly { readonly method: string; readonly reply: JsonRecord }[];
  readonly unknownMethods: readonly string[];
  /** The step that each `by-chance` step drew; null for `otherwise`. */
  readonly drawn: readonly (number | null)[];
  /** Processes that `spawn` steps left running. */
  readonly childPids: readonly number[];
  readonly sawInputEnd: boolean;
};

/** The ACP processes of the fake CLI of a directory in order of start; empty before the first. */
export async function readAcpProcesses(directory: string): Promise<readonly AcpProcessRecord[]> {
  const names = await readdir(join(directory, 'acp')).catch(() => []);
  const numbers = names.flatMap((name) => /^process-(\d+)\.jsonl$/.exec(name)?.[1] ?? []).map(Number);
  const spawned = await readRecords(join(directory, 'invocations.jsonl'));
  const processes = await Promise.all(
    numbers
      .toSorted((a, b) => a - b)
      .map(async (number) => {
        const records = await readRecords(join(directory, 'acp', `process-${number}.jsonl`));
        return toProcess(number, records, spawned);
      }),
  );
  return processes.flat();
}

/** Resolves to the processes once `isEnough` returns true. The fake CLI must exist. Waiting does not keep the process alive. */
export function whenAcpRecorded(
  directory: string,
  isEnough: (processes: readonly AcpProcessRecord[]) => boolean,
): Promise<readonly AcpProcessRecord[]> {
  return whenFound(join(directory, 'acp'), async () => {
    const processes = await readAcpProcesses(directory);
    return isEnough(processes) ? processes : null;
  });
}

async function readRecords(file: string): Promise<readonly JsonRecord[]> {
  const log = await readFile(file, 'utf8').catch(() => '');
  // A line without an end is still being written.
  const lines = log.split('\n').slice(0, -1);
  return lines.map((line): unknown => JSON.parse(line)).filter(isJsonRecord);
}

/** Empty for a process that has not recorded its start yet. */
function toProcess(
  number: number,
  records: readonly JsonRecord[],
  spawned: readonly JsonRecord[],
): readonly AcpProcessRecord[] {
  const started = records.find(({ type }) => type === 'started');
  if (started === undefined) {
    return [];
  }
  const pid = Number(started['pid']);
  const children = spawned.filter((record) => record['type'] === 'spawned' && record['pid'] === pid);
  const childPids = children.map(({ childPid }) => Number(childPid));
  return [{ number, pid, ...toStart(started), ...toEvents(records), childPids }];
}

function toStart(
  started: JsonRecord,
): Pick<AcpProcessRecord, 'parentPid' | 'processGroup' | 'argv' | 'cwd' | 'env' | 'startedAtMs'> {
  const { processGroup, argv, env } = started;
  return {
    parentPid: Number(started['ppid']),
    processGroup: typeof processGroup === 'number' ? processGroup : null,
    argv: Array.isArray(argv) ? argv.map(String) : [],
    cwd: String(started['cwd']),
    env: isJsonRecord(env) ? Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])) : {},
    startedAtMs: Number(started['atMs']),
  };
}

type Start = ReturnType<typeof toStart>;

function toEvents(
  records: readonly JsonRecord[],
): Omit<AcpProcessRecord, keyof Start | 'number' | 'pid' | 'childPids'> {
  const of = (wanted: string): readonly JsonRecord[] => records.filter(({ type }) => type === wanted);
  return {
    initializations: of('initialize').map(({ params }) => (isJsonRecord(params) ? params : {})),
    sessions: of('session').map(toSession),
    prompts: of('prompt').map(toPrompt),
    modelChanges: of('set-model').map((r) => ({ sessionId: String(r['sessionId']), modelId: String(r['modelId']) })),
    modeChanges: of('set-mode').map((r) => ({ sessionId: String(r['sessionId']), modeId: String(r['modeId']) })),
    cancels: of('cancel').map((r) => ({ sessionId: String(r['sessionId']), wasRunning: r['wasRunning'] === true })),
    asked: of('asked').map(({ method, reply }) => ({
      method: String(method),
      reply: isJsonRecord(reply) ? reply : {},
    })),
    unknownMethods: of('unknown-method').map(({ method }) => String(method)),
    drawn: of('drawn').map(({ index }) => (typeof index === 'number' ? index : null)),
    sawInputEnd: of('input-ended').length > 0,
  };
}

function toSession({ sessionId, cwd, history }: JsonRecord): AcpSessionRecord {
  const turns = recordsIn(history).map((turn) => ({
    role: turn['role'] === 'user' ? ('user' as const) : ('model' as const),
    ...toText(turn),
  }));
  return { id: String(sessionId), cwd: String(cwd), history: Array.isArray(history) ? turns : null };
}

function toPrompt({ number, sessionId, turn, model, parts, atMs }: JsonRecord): AcpPrompt {
  return {
    number: Number(number),
    sessionId: String(sessionId),
    turn: Number(turn),
    model: String(model),
    parts: recordsIn(parts).map((part) => ({
      type: String(part['type']),
      mimeType: typeof part['mimeType'] === 'string' ? part['mimeType'] : null,
      ...toText(part),
    })),
    atMs: Number(atMs),
  };
}

function toText({ characters, sha256, text }: JsonRecord): AcpText {
  return {
    characters: Number(characters),
    sha256: String(sha256),
    text: typeof text === 'string' ? text : null,
  };
}

import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, RunEvent, RunRequest } from '@gemini-mcp/core';
import { copyLimits } from '../gemini-cli/copy-directory.ts';
import { DirectoryCopy } from '../gemini-cli/directory-copy.ts';
import { notStarted, outcomeWithoutRun } from '../gemini-cli/outcome-without-run.ts';
import type { RunLimit } from '../gemini-cli/run-limit.ts';
import type { AcpReply } from './acp-connection.ts';
import type { AcpProcess } from './acp-process.ts';
import type { PooledProcess } from './pooled-process.ts';
import { readPromptReply } from './prompt-ending.ts';
import type { WarmLimits } from './warm-limits.ts';
import { loadSession, openSession, type SessionOpening, type WarmSession } from './warm-session.ts';

export type PrepareOptions = {
  readonly clock: Clock;
  readonly limits: WarmLimits;
  readonly privateDirectories: readonly string[];
  readonly pooled: PooledProcess;
  /** What the session's tools are to see, as a copy; null for nothing. */
  readonly directory: string | null;
  /** Names the conversation that the request goes on with; null for none. */
  readonly digest: string | null;
  readonly request: RunRequest;
};

export type Prepared =
  | { readonly type: 'session'; readonly session: WarmSession }
  /** The process is. */
  | { readonly type: 'gone'; readonly detail: string; readonly outcome: RunEvent }
  /** The directory cannot be copied, and this is why. */
  | { readonly type: 'no-copy'; readonly detail: string }
  | { readonly type: 'failed'; readonly outcome: RunEvent };

type Place = { readonly cwd: string; readonly copy: DirectoryCopy | null };

/** Makes a session ready that holds exactly the history of a request and sees exactly its directory. Never rejects. */
export async function prepareSession(options: PrepareOptions, limit: RunLimit): Promise<Prepared> {
  const { pooled, digest } = options;
  const kept = digest === null ? null : pooled.takeKept(digest);
  try {
    const place = await preparePlace(options, kept, limit);
    if ('type' in place) {
      await discardKept(pooled, kept);
      return place;
    }
    return await withModel(
      options,
      kept === null ? await open(options, place, limit) : { ok: true, session: kept },
      limit,
    );
  } catch (error) {
    await discardKept(pooled, kept);
    return explain(error, pooled, limit);
  }
}

function explain(error: unknown, pooled: PooledProcess, limit: RunLimit): Prepared {
  if (limit.signal.aborted) {
    return { type: 'failed', outcome: outcomeWithoutRun({ termination: limit.termination }) };
  }
  // Its directory goes with a process, under our hands.
  if (pooled.process?.isThere !== true) {
    return gone('the process ended while a session was made ready');
  }
  const detail = error instanceof Error ? error.message : String(error);
  return { type: 'failed', outcome: notStarted('workspace', detail) };
}

async function discardKept(pooled: PooledProcess, kept: WarmSession | null): Promise<void> {
  if (kept !== null) {
    await pooled.discard(kept);
  }
}

async function preparePlace(
  options: PrepareOptions,
  kept: WarmSession | null,
  limit: RunLimit,
): Promise<Place | Prepared> {
  const { clock, privateDirectories, pooled, directory, request } = options;
  const root = rootOf(pooled);
  if (directory === null) {
    return { cwd: join(root, 'workspace'), copy: null };
  }
  // The CLI takes such a name as it is for a name of its own.
  const cwd = kept?.cwd ?? join(root, 'directories', `directory-${randomUUID()}`);
  await mkdir(join(root, 'directories'), { recursive: true, mode: 0o700 });
  const copy =
    kept?.copy ?? new DirectoryCopy({ clock, from: directory, to: cwd, privateDirectories, limits: copyLimits });
  const result = await copy.update(request.deadlineAtMs, limit.signal);
  if (result.copied) {
    return { cwd, copy };
  }
  return clock.now() >= request.deadlineAtMs
    ? { type: 'failed', outcome: outcomeWithoutRun({ termination: 'timed-out' }) }
    : { type: 'no-copy', detail: `${directory} ${result.detail}` };
}

async function open(options: PrepareOptions, place: Place, limit: RunLimit): Promise<SessionOpening> {
  const { limits, pooled, request } = options;
  const { history = [] } = request;
  const timeoutMs = limits.sessionTimeoutMs;
  const process = processOf(pooled);
  const given = { process, model: pooled.kind.model, ...place, timeoutMs };
  const spare = history.length === 0 && place.copy === null ? pooled.takeSpare() : null;
  if (spare !== null) {
    return { ok: true, session: spare };
  }
  pooled.sessions += 1;
  const opening = history.length === 0 ? openSession(given) : loadSession({ ...given, history });
  return orAborted(pooled, opening, limit.signal);
}

/** A session that comes too late is nobody's. */
async function orAborted(
  pooled: PooledProcess,
  opening: Promise<SessionOpening>,
  signal: AbortSignal,
): Promise<SessionOpening> {
  const departure = new AbortController();
  const gone = new Promise<'gone'>((resolve) => {
    signal.addEventListener('abort', () => resolve('gone'), { once: true, signal: departure.signal });
  });
  const first = signal.aborted ? 'gone' : await Promise.race([opening, gone]);
  departure.abort();
  if (first !== 'gone') {
    return first;
  }
  opening.then(
    (late) => (late.ok ? pooled.discard(late.session) : undefined),
    () => undefined,
  );
  throw new Error('The call was given up');
}

async function withModel(options: PrepareOptions, opening: SessionOpening, limit: RunLimit): Promise<Prepared> {
  const { limits, pooled, request } = options;
  const { model } = request;
  if (!opening.ok) {
    return failed(processOf(pooled), opening.reply);
  }
  const { session } = opening;
  if (limit.signal.aborted) {
    await pooled.discard(session);
    return { type: 'failed', outcome: outcomeWithoutRun({ termination: limit.termination }) };
  }
  if (session.model === model) {
    return { type: 'session', session };
  }
  const process = processOf(pooled);
  const choice = { sessionId: session.id, modelId: model };
  const reply = await process.request('session/set_model', choice, limits.sessionTimeoutMs);
  return reply !== 'timeout' && reply.ok ? { type: 'session', session: { ...session, model } } : failed(process, reply);
}

function failed(process: AcpProcess, reply: AcpReply | 'timeout'): Prepared {
  if (reply === 'timeout') {
    process.fault('did not open a session in time');
  }
  if (reply === 'timeout' || (!reply.ok && reply.closed)) {
    return gone('the process ended before it had a session');
  }
  const { completion, httpStatus, messages } = readPromptReply(reply, false);
  const outcome = {
    ...outcomeWithoutRun({ termination: 'exited' }).outcome,
    // A session that could not be read is no success of anything.
    completion: completion === 'success' ? ('error' as const) : completion,
    sawEvents: true,
    httpStatus,
    messages: messages.map((message) => message.slice(0, 1_000)),
  };
  return { type: 'failed', outcome: { type: 'outcome', outcome } };
}

function processOf({ process }: PooledProcess): AcpProcess {
  if (process === null) {
    throw new Error('A place was given on a process that is not there');
  }
  return process;
}

function rootOf(pooled: PooledProcess): string {
  return processOf(pooled).directory.root;
}

function gone(detail: string): Prepared {
  const outcome = { ...outcomeWithoutRun({ termination: 'exited' }).outcome, signal: 'SIGKILL', messages: [detail] };
  return { type: 'gone', detail, outcome: { type: 'outcome', outcome } };
}

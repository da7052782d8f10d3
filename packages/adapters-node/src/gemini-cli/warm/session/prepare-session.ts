import type { RunEnd, RunRequest, ToolSession } from '@gemini-mcp/core';
import { shownMessageCharacters } from '../../cli-limits.ts';
import { failRun, failRunFor } from '../../fail-run.ts';
import { endOfRun } from '../../reading/classify-outcome.ts';
import type { RunLimit } from '../../run-limit.ts';
import { createToolServerName, routeTo } from '../../settings/model-tools.ts';
import { untilAborted } from '../../until-aborted.ts';
import type { PooledProcess } from '../pool/pooled-process.ts';
import type { AcpProcess } from '../process/acp-process.ts';
import { readPromptReply } from '../prompt/prompt-recorder.ts';
import type { AcpReply } from '../protocol/acp-connection.ts';
import type { WarmLimits } from '../warm-limits.ts';
import {
  discardSession,
  discardToolSession,
  loadSession,
  openSession,
  type SessionOpening,
  type WarmSession,
  type WarmToolSession,
} from './warm-session.ts';

export type PrepareSessionOptions = {
  readonly limits: WarmLimits;
  readonly pooled: PooledProcess;
  readonly request: Pick<RunRequest, 'history' | 'model'>;
  /** Names the conversation that the request continues; null for a new one. */
  readonly digest: string | null;
  /** The address of the run's tools for the session; null without tools. */
  readonly toolSession: Omit<ToolSession, 'close'> | null;
};

export type Prepared =
  | {
      readonly type: 'session';
      readonly process: AcpProcess;
      readonly session: WarmSession;
      /** Whether the conversation has used this session before, so that it knows its tools. */
      readonly isKept: boolean;
    }
  | { readonly type: 'gone'; readonly detail: string }
  /** No session is ready, and this is the end of the run. */
  | RunEnd;

/**
 * Prepares a session that holds exactly the history of a request. Never rejects. On failure, removes everything of the session, except
 * for one that the process is still opening: that is removed when it opens.
 */
export async function prepareSession(options: PrepareSessionOptions, limit: RunLimit): Promise<Prepared> {
  const { pooled } = options;
  const { process } = pooled;
  if (process === null) {
    return gone('the process has ended');
  }
  const kept = await takeKept(options);
  const warmTools = kept === null ? newToolSession(options) : kept.warmTools;
  const prepared = await prepareIn({ ...options, process, kept, warmTools }, limit).catch((error: unknown) =>
    explain(error, process, limit),
  );
  if (prepared.type !== 'session') {
    await (kept === null ? discardToolSession(process, warmTools) : discardSession(process, kept));
    await removeAfterEnd(process);
  }
  return prepared;
}

/** How a future session will find its tools. Creates nothing yet. */
function newToolSession({ toolSession }: PrepareSessionOptions): WarmToolSession | null {
  return toolSession && { name: createToolServerName(), toolsDigest: toolSession.toolsDigest, nextNumber: 0 };
}

/** A session with other tools no longer belongs to this conversation. */
async function takeKept({ pooled, digest, toolSession }: PrepareSessionOptions): Promise<WarmSession | null> {
  const kept = digest === null ? null : pooled.takeKept(digest);
  if (kept === null || kept.warmTools?.toolsDigest === toolSession?.toolsDigest) {
    return kept;
  }
  await pooled.discard(kept);
  return null;
}

type Preparation = PrepareSessionOptions & {
  readonly process: AcpProcess;
  /** The conversation's session so far. */
  readonly kept: WarmSession | null;
  readonly warmTools: WarmToolSession | null;
};

async function prepareIn(given: Preparation, limit: RunLimit): Promise<Prepared> {
  await leadToTools(given);
  const opening = given.kept === null ? await open(given, limit) : ({ ok: true, session: given.kept } as const);
  if (opening === null) {
    return endedBy(limit);
  }
  return opening.ok ? withModel(given, opening.session, limit) : failed(given.process, opening.reply);
}

/** Routes the session to the tools of this run from here on. */
async function leadToTools({ process, toolSession, kept, warmTools }: Preparation): Promise<void> {
  if (toolSession === null || warmTools === null) {
    return;
  }
  await routeTo(process.directory, warmTools.name, toolSession);
  if (kept !== null) {
    toolSession.goOn(warmTools.nextNumber);
  }
}

/** Files created in the directory of a process after its end would stay: that directory has been removed already. */
async function removeAfterEnd(process: AcpProcess): Promise<void> {
  if (!process.isThere) {
    await process.ended;
    await process.directory.remove();
  }
}

function explain(error: unknown, process: AcpProcess, limit: RunLimit): Prepared {
  if (limit.signal.aborted) {
    return endedBy(limit);
  }
  // The directory disappears with its process, even during a write.
  if (!process.isThere) {
    return gone('the process ended while it prepared a session');
  }
  return failRunFor(error);
}

/** Resolves to null if the call is aborted meanwhile. */
async function open(given: Preparation, limit: RunLimit): Promise<SessionOpening | null> {
  const { limits, pooled, process, warmTools } = given;
  const { history = [] } = given.request;
  const options = { process, model: pooled.kind.model, warmTools, timeoutMs: limits.sessionTimeoutMs };
  const spare = history.length === 0 && warmTools === null ? pooled.takeSpare() : null;
  if (spare !== null) {
    return { ok: true, session: spare };
  }
  pooled.sessions += 1;
  const opening = history.length === 0 ? openSession(options) : loadSession({ ...options, history });
  const opened = await untilAborted(opening, limit.signal);
  if (opened === null) {
    void discardLate(given, opening);
  }
  return opened;
}

/** A session that opens too late belongs to no call. */
async function discardLate({ process, warmTools }: Preparation, opening: Promise<SessionOpening>): Promise<void> {
  const late = await opening.catch(() => null);
  if (late?.ok === true) {
    await discardSession(process, late.session);
    return;
  }
  await discardToolSession(process, warmTools);
  if (late?.reply === 'timeout') {
    process.fault(tooSlow);
  }
}

async function withModel(
  { limits, request, process, kept }: Preparation,
  session: WarmSession,
  limit: RunLimit,
): Promise<Prepared> {
  const { model } = request;
  const isGivenUp = limit.signal.aborted;
  const ready = { type: 'session', process, isKept: kept !== null } as const;
  if (session.model === model && !isGivenUp) {
    return { ...ready, session };
  }
  const choice = { sessionId: session.id, modelId: model };
  const choose = () => process.request('session/set_model', choice, limits.sessionTimeoutMs);
  const reply = isGivenUp ? null : await untilAborted(choose(), limit.signal);
  if (reply !== null && reply !== 'timeout' && reply.ok) {
    return { ...ready, session: { ...session, model } };
  }
  await discardSession(process, session);
  return reply === null ? endedBy(limit) : failed(process, reply);
}

function endedBy(limit: RunLimit): Prepared {
  return failRun(limit.failure);
}

const tooSlow = 'did not open a session in time';

function failed(process: AcpProcess, reply: AcpReply | 'timeout'): Prepared {
  if (reply === 'timeout') {
    process.fault(tooSlow);
  }
  if (reply === 'timeout' || (!reply.ok && reply.closed)) {
    return gone('the process ended before it had a session');
  }
  const { usage: _, completion, messages, ...told } = readPromptReply(reply, false);
  return endOfRun({
    ...told,
    termination: 'exited',
    exitCode: null,
    signal: null,
    // A session that could not be parsed does not prove that anything works.
    completion: completion === 'success' ? 'error' : completion,
    sawEvents: true,
    answered: false,
    messages: messages.map((message) => process.redact(message).slice(0, shownMessageCharacters)),
    stderr: '',
    strayOutput: '',
  });
}

function gone(detail: string): Prepared {
  return { type: 'gone', detail };
}

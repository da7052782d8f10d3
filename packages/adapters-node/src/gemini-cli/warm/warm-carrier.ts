import type { RunEnd, RunnerCapabilities } from '@gemini-mcp/core';
import type { StartProblem } from '../../process/describe-start-error.ts';
import type { Carried, Carrier, CarrierOptions, CliRun, Tell } from '../carrier.ts';
import { cliMaxInputCharacters } from '../cli-limits.ts';
import { failRun } from '../fail-run.ts';
import { describeView } from '../given-directory/directory-view.ts';
import { cliMediaTypes, maxMediaBytes } from '../message/media-files.ts';
import type { RunLimit } from '../run-limit.ts';
import type { PooledProcess } from './pool/pooled-process.ts';
import type { WarmPool } from './pool/warm-pool.ts';
import { aloneOfKind, describeProcessKind, type ProcessKind } from './process/process-kind.ts';
import { messageHeader } from './prompt/prompt-parts.ts';
import { type Again, PromptRun } from './prompt/prompt-run.ts';
import { conversationDigest } from './session/conversation-digest.ts';
import { prepareSession } from './session/prepare-session.ts';
import type { WarmLimits } from './warm-limits.ts';

export type WarmCarrierOptions = CarrierOptions & {
  readonly limits: WarmLimits;
  readonly pool: WarmPool;
};

/** A name of a directory and what is said of it come before a message. */
const roomForNote = 2_000;

/** A run is carried at most this often, the second time only where nothing of the first has been told. */
const maxTries = 2;

/** What is known of a run when its kind of process is looked for. */
export type KindRequest = Pick<CliRun, 'cli' | 'programs' | 'settings'> & {
  readonly model: string;
  readonly hasDirectory: boolean;
};

/** One try to carry a run. */
type Try = {
  readonly run: CliRun;
  readonly kind: ProcessKind;
  readonly mayTryAgain: boolean;
};

/** Puts requests to processes of the CLI that stay, each in a session of its own. */
export class WarmCarrier implements Carrier {
  readonly capabilities: RunnerCapabilities = {
    name: 'warm',
    // The protocol knows no limit in bytes: three of them is what a UTF-16 code unit takes at most.
    maxInputBytes: 3 * cliMaxInputCharacters,
    maxInputCharacters: cliMaxInputCharacters - messageHeader.length - roomForNote,
    resume: true,
    tools: ['none', 'web-search', 'read-only'],
    sandbox: false,
    systemPrompt: true,
    mediaTypes: cliMediaTypes,
    maxMediaBytes,
    warmStart: true,
    streaming: true,
    usage: true,
    keyOfCall: true,
    way: { by: 'Gemini CLI' },
  };
  readonly #options: WarmCarrierOptions;

  constructor(options: WarmCarrierOptions) {
    this.#options = options;
  }

  async carry(run: CliRun, tell: Tell, limit: RunLimit): Promise<Carried> {
    const kind = await this.#chooseKind(run);
    if ('type' in kind) {
      return kind;
    }
    let on = kind;
    for (let tries = 1; ; tries += 1) {
      const carried = await this.#try({ run, kind: on, mayTryAgain: tries < maxTries }, tell, limit);
      if (carried.type !== 'again') {
        return carried;
      }
      const { processId, detail, alone } = carried;
      on = alone ? aloneOfKind(kind) : kind;
      this.#options.pool.report({ type: 'retried', processId, detail });
    }
  }

  /** Says which kind of process carries a run. Rejects where the system has run out of something. */
  async describeKind({ model, programs, ...run }: KindRequest): Promise<ProcessKind> {
    return describeProcessKind({ ...this.#options, ...run, request: { model }, path: await programs.forChildren() });
  }

  /** Resolves to the end of a run that no process of ours may carry. */
  async #chooseKind(run: CliRun): Promise<ProcessKind | RunEnd> {
    const { request, view } = run;
    if (view.kind !== 'none' && view.kind !== 'copy') {
      // What a directory's own settings choose would hold for all sessions of a process.
      return failRun({ kind: 'unsupported', feature: 'directory' });
    }
    const kind = await this.describeKind({ ...run, model: request.model, hasDirectory: view.kind === 'copy' });
    return kind.hasLogin ? kind : failRun({ kind: 'unsupported', feature: 'login' });
  }

  async #try(given: Try, tell: Tell, limit: RunLimit): Promise<Carried | Again> {
    const { pool } = this.#options;
    const { kind, run } = given;
    const { request, view } = run;
    const turns = request.history ?? [];
    const directory = view.kind === 'copy' ? view.directory : null;
    const digest = turns.length === 0 ? null : conversationDigest({ turns, directory });
    const lease = await pool.lease({ kind, digest, owner: request.owner ?? null }, limit.signal);
    if (!lease.ok) {
      return withoutProcess(lease.problem, limit);
    }
    const { pooled } = lease;
    try {
      const options = { ...this.#options, ...given, pooled, request, directory, digest };
      const prepared = await prepareSession(options, limit);
      if (prepared.type === 'gone') {
        return withoutSession(prepared.detail, pooled, given, limit);
      }
      return prepared.type === 'session'
        ? await new PromptRun({ ...options, ...prepared, note: describeView(view) }, tell).carry(limit)
        : prepared;
    } finally {
      pool.release(pooled);
    }
  }
}

function withoutSession(
  detail: string,
  { id, kind: { isAlone } }: PooledProcess,
  { mayTryAgain }: Try,
  limit: RunLimit,
): RunEnd | Again {
  return mayTryAgain && !limit.signal.aborted
    ? { type: 'again', processId: id, detail, alone: isAlone }
    : failRun({ kind: 'crashed', detail: 'ended', excerpt: detail });
}

/** The end of a run for which there is no process; `problem` is null where the wait was given up. */
function withoutProcess(problem: StartProblem | null, limit: RunLimit): RunEnd {
  if (problem === null) {
    return failRun(limit.failure);
  }
  const { isShortage, detail } = problem;
  return failRun(
    isShortage ? { kind: 'resources-exhausted', detail } : { kind: 'runner-unavailable', excerpt: detail },
  );
}

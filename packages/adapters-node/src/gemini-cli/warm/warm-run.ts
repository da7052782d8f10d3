import {
  type Clock,
  plainRunSettings,
  type RunEnd,
  type RunEvent,
  type RunRequest,
  type RunSettings,
} from '@gemini-mcp/core';
import type { StartProblem } from '../../process/describe-start-error.ts';
import type { ProgramPath } from '../../programs/program-path.ts';
import type { Environment } from '../environment/child-environment.ts';
import { failRun } from '../fail-run.ts';
import type { GeminiCli } from '../finding/gemini-cli-location.ts';
import { choosePlace, describePlace, type RunPlace } from '../given-directory/run-place.ts';
import { missDirectory } from '../miss-directory.ts';
import { refuseKey } from '../refuse-key.ts';
import type { RunLimit } from '../run-limit.ts';
import type { RunReport } from '../run-report.ts';
import type { WarmPool } from './pool/warm-pool.ts';
import { aloneOfKind, describeProcessKind, type ProcessKind } from './process/process-kind.ts';
import { done, type NextTry, runPrompt } from './prompt/run-prompt.ts';
import { conversationDigest } from './session/conversation-digest.ts';
import { type PrepareOptions, prepareSession } from './session/prepare-session.ts';
import type { WarmLimits } from './warm-limits.ts';

export type WarmRunOptions = {
  readonly clock: Clock;
  readonly limits: WarmLimits;
  readonly environment: Environment;
  readonly userDirectory: string;
  readonly roots: readonly string[];
  readonly trustedDirectories: readonly string[];
  readonly privateDirectories: readonly string[];
  readonly pool: WarmPool;
  readonly cli: GeminiCli;
  /** Where processes look for programs. */
  readonly programs: ProgramPath;
  readonly request: RunRequest;
  readonly onRun?: (report: RunReport) => void;
};

/** Where a warm run can take place. */
export type WarmPlace = Extract<RunPlace, { readonly kind: 'nowhere' | 'copy' }>;

/** A run is carried at most this often, the second time only where nothing of the first has been told. */
const maxTries = 2;

const nowhere: WarmPlace = { kind: 'nowhere' };

/** One request, carried by a warm process. */
export class WarmRun {
  readonly #options: WarmRunOptions;
  readonly #settings: RunSettings;

  constructor(options: WarmRunOptions) {
    this.#options = options;
    this.#settings = options.request.settings ?? plainRunSettings;
  }

  async *events(limit: RunLimit): AsyncGenerator<RunEvent> {
    const obstacle = refuseKey(this.#settings.apiKey);
    if (obstacle !== null) {
      yield obstacle;
      return;
    }
    const place = await choosePlace(this.#settings, this.#options);
    switch (place.kind) {
      case 'nowhere':
      case 'copy':
        yield* this.#runAt(place, limit);
        return;
      case 'refused':
        yield* this.#runWithout(place.detail, limit);
        return;
      default:
        // What a directory's own settings choose would hold for all sessions of a process.
        yield failRun({ kind: 'unsupported', feature: 'directory' });
    }
  }

  async *#runWithout(detail: string, limit: RunLimit): AsyncGenerator<RunEvent> {
    const told = missDirectory(detail, this.#settings);
    yield told;
    if (told.type === 'notice') {
      yield* this.#runAt(nowhere, limit);
    }
  }

  async *#runAt(place: WarmPlace, limit: RunLimit): AsyncGenerator<RunEvent> {
    const kind = await describeProcessKind({
      ...this.#options,
      path: await this.#options.programs.forChildren(),
      settings: this.#settings,
      hasDirectory: place.kind === 'copy',
    });
    if (!kind.hasLogin) {
      yield failRun({ kind: 'unsupported', feature: 'login' });
      return;
    }
    let on = kind;
    for (let tries = 1; ; tries += 1) {
      const next = yield* this.#try(on, place, limit, tries < maxTries);
      if (next.type === 'without-directory') {
        yield* this.#runWithout(next.detail, limit);
      }
      if (next.type !== 'again') {
        return;
      }
      on = next.alone ? aloneOfKind(kind) : kind;
      this.#options.pool.report({ type: 'retried', processId: next.processId, detail: next.detail });
    }
  }

  async *#try(
    kind: ProcessKind,
    place: WarmPlace,
    limit: RunLimit,
    mayTryAgain: boolean,
  ): AsyncGenerator<RunEvent, NextTry> {
    const { pool, request } = this.#options;
    const directory = place.kind === 'copy' ? place.directory : null;
    const turns = request.history ?? [];
    const digest = turns.length === 0 ? null : conversationDigest({ turns, directory });
    const lease = await pool.lease({ kind, digest, owner: request.owner ?? null }, limit.signal);
    if (!lease.ok) {
      yield withoutProcess(lease.problem, limit);
      return done;
    }
    const { pooled } = lease;
    try {
      return yield* this.#runOn(
        { pooled, directory, digest, mayTryAgain, isAlone: kind.isAlone },
        describePlace(place),
        limit,
      );
    } finally {
      pool.release(pooled);
    }
  }

  async *#runOn(given: Given, note: string | null, limit: RunLimit): AsyncGenerator<RunEvent, NextTry> {
    const prepared = await prepareSession({ ...this.#options, ...given }, limit);
    switch (prepared.type) {
      case 'session':
        return yield* runPrompt({ ...this.#options, ...given, session: prepared.session, note }, limit);
      case 'no-copy':
        return { type: 'without-directory', detail: prepared.detail };
      case 'gone':
        if (given.mayTryAgain && !limit.signal.aborted) {
          return { type: 'again', processId: given.pooled.id, detail: prepared.detail, alone: given.isAlone };
        }
        yield prepared.end;
        return done;
      case 'failed':
        yield prepared.end;
        return done;
    }
  }
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

type Given = Pick<PrepareOptions, 'pooled' | 'directory' | 'digest'> & {
  readonly mayTryAgain: boolean;
  readonly isAlone: boolean;
};

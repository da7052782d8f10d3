import type { Clock } from '@gemini-mcp/core';
import { raceTimeout } from '@gemini-mcp/core/internal';
import { OwnerTurns } from '../../../disk/durable/owner-turns.ts';
import type { ContainedCommand } from '../../../processes/contained-command.ts';
import { type ContainedProcess, type ProcessEnd, startContainedProcess } from '../../../processes/contained-process.ts';
import { TailBuffer } from '../../../processes/output/tail-buffer.ts';
import { shownStderrCharacters } from '../../cli-limits.ts';
import type { CliRunDirectory } from '../../cli-run-directory.ts';
import { keepsCompiledCode } from '../../environment/compile-cache.ts';
import { showExcerpt } from '../../reading/show-excerpt.ts';
import { AcpConnection, type AcpFault, type AcpReply } from '../protocol/acp-connection.ts';
import type { AcpUpdate } from '../protocol/acp-messages.ts';
import type { WarmLimits } from '../warm-limits.ts';
import { SilenceWatch } from './silence-watch.ts';

/** How a process came to its end. */
export type AcpProcessEnd = ProcessEnd & {
  /** What it did wrong, in our words, where that is why it was ended; null for one that ended by itself or was told to. */
  readonly fault: string | null;
  readonly wasAsked: boolean;
  /** Whether it answered no more: any of its calls may be why. */
  readonly hung: boolean;
  /** The end of what it wrote to stderr. Of any of its calls: not to be shown to the caller of one. */
  readonly stderr: string;
};

export type AcpProcessOptions = {
  readonly clock: Clock;
  readonly limits: WarmLimits;
  readonly command: ContainedCommand;
  readonly environment: Readonly<Record<string, string>>;
  /** Private to the process; removed when it has ended. */
  readonly directory: CliRunDirectory;
  readonly redact: (text: string) => string;
};

/** A method that no agent has: one that is there says so at once. */
const pingMethod = '_gemini-mcp/ping';

const keptStderrBytes = 65_536;

/** Gemini CLI 0.61.0 needs 0.15 s. */
const goodbyeMs = 500;

/** Longer than a process that crashes takes to be gone, with its pipes. */
const deafMs = 3_000;

const never = new AbortController().signal;

/** One `gemini --acp` from start to end. Ends the process if it breaks the protocol, asks for anything, or is silent for too long. */
export class AcpProcess {
  /** Resolves once the process, all that it started and its directory are gone; never rejects. */
  readonly ended: Promise<AcpProcessEnd>;
  readonly directory: CliRunDirectory;
  readonly #options: AcpProcessOptions;
  readonly #process: ContainedProcess;
  readonly #connection: AcpConnection;
  readonly #stderr = new TailBuffer(keptStderrBytes);
  /** At most one for each session. */
  readonly #listeners = new Map<string, OnUpdate>();
  readonly #silence: SilenceWatch;
  readonly #openings = new OwnerTurns();
  #fault: string | null = null;
  #hung = false;
  #wasAsked = false;

  constructor(options: AcpProcessOptions) {
    const { clock, limits, command, environment, directory } = options;
    this.#options = options;
    this.directory = directory;
    this.#process = startContainedProcess({
      command,
      environment,
      cwd: directory.workspace,
      runId: directory.runId,
      input: null,
      onStdout: (chunk) => this.#receive(chunk),
      onStderr: (chunk) => this.#stderr.push(chunk),
    });
    this.#silence = new SilenceWatch({
      clock,
      silenceMs: limits.silenceMs,
      answerMs: limits.answerMs,
      ping: () => this.#connection.request(pingMethod, {}),
      onSilent: () => this.hang('does not answer any more'),
    });
    this.#connection = new AcpConnection({
      stdin: this.#process.stdin,
      onUpdate: (sessionId, update) => this.#listeners.get(sessionId)?.(update),
      onFault: (fault) => this.fault(describeFault(fault)),
    });
    this.ended = this.#whenEnded();
    this.#process.stdin.once('close', () => void this.#endWhenDeaf());
  }

  get command(): ContainedCommand {
    return this.#options.command;
  }

  /** The whole environment, secrets included. */
  get environment(): Readonly<Record<string, string>> {
    return this.#options.environment;
  }

  /** Takes secrets and the paths of this machine out of what the process says. */
  get redact(): (text: string) => string {
    return this.#options.redact;
  }

  get pid(): number | null {
    return this.#process.pid;
  }

  /** Keeps this program alive for the process; otherwise the program may end, and the process ends with it. */
  keepAlive(isWanted: boolean): void {
    if (isWanted || this.#wasAsked) {
      this.#process.ref();
    } else {
      this.#process.unref();
    }
  }

  /** Whether it can still be asked anything. */
  get isThere(): boolean {
    return this.#fault === null && !this.#wasAsked && this.#process.stdin.writable;
  }

  /** Where something is put to the process. Resolves to its answer, to `timeout`, or to that it is gone; never rejects. */
  async request(method: string, params: unknown, timeoutMs: number): Promise<AcpReply | 'timeout'> {
    const reply = this.#connection.request(method, params);
    const end = await raceTimeout({ event: reply, durationMs: timeoutMs, clock: this.#options.clock }, never);
    return end === 'happened' ? reply : 'timeout';
  }

  /**
   * Opens sessions one after the other: for each, Gemini CLI 0.61.0 locks its list of projects, and a session that finds it locked waits
   * up to seconds.
   */
  inTurn<T>(open: () => Promise<T>): Promise<T> {
    return this.#openings.take(this.directory.runId, open);
  }

  /** A prompt takes as long as it takes; meanwhile the process is watched. */
  async prompt(sessionId: string, parts: readonly unknown[], onUpdate: OnUpdate): Promise<AcpReply> {
    this.#listeners.set(sessionId, onUpdate);
    this.#silence.begin();
    try {
      return await this.#connection.request('session/prompt', { sessionId, prompt: parts });
    } finally {
      this.#silence.end();
      this.#listeners.delete(sessionId);
    }
  }

  /** Resolves once so many turns of a session that is being loaded have been repeated. Stops listening by `forget`. */
  countRepeated(sessionId: string, turns: number): Promise<void> {
    return new Promise((resolve) => {
      let left = turns;
      this.#listeners.set(sessionId, ({ kind }) => {
        left -= kind === 'user-message' || kind === 'agent-message' ? 1 : 0;
        if (left === 0) {
          resolve();
        }
      });
    });
  }

  forget(sessionId: string): void {
    this.#listeners.delete(sessionId);
  }

  /** Resolves to whether something happened in time, and before the process ended. */
  async within(event: Promise<unknown>, timeoutMs: number): Promise<boolean> {
    const { clock } = this.#options;
    const happened = event.then(() => true);
    const either = Promise.race([happened, this.ended.then(() => false)]);
    const end = await raceTimeout({ event: either, durationMs: timeoutMs, clock }, never);
    return end === 'happened' && (await either);
  }

  cancel(sessionId: string): void {
    this.#connection.notify('session/cancel', { sessionId });
  }

  /** Ends a process that can no longer be trusted, at once. What is under way on it ends with it. */
  fault(what: string): void {
    this.#fault ??= what;
    // Nothing that it says from here on is an answer.
    this.#connection.close();
    this.#process.kill();
  }

  /** Ends a process that answers no more: one of what is under way on it may be why. */
  hang(what: string): void {
    this.#hung ||= this.isThere;
    this.fault(what);
  }

  /** Ends the process. Resolves when nothing of it is left. */
  async end(): Promise<void> {
    this.#wasAsked = true;
    this.keepAlive(true);
    this.#connection.close();
    if (keepsCompiledCode) {
      // It ends by itself when its input does, and only then keeps what it has compiled.
      this.#process.stdin.end();
      await this.within(this.#process.ended, goodbyeMs);
    }
    // Nothing of it is worth waiting for: what it has written lies in its directory, which goes with it.
    this.#process.kill();
    await this.ended;
  }

  /** Its input is closed, which is no harm where it ends as well. */
  async #endWhenDeaf(): Promise<void> {
    const isGone = this.#wasAsked || (await this.within(this.#process.ended, deafMs));
    if (!isGone) {
      this.fault('takes no more input');
    }
  }

  #receive(chunk: Buffer): void {
    this.#silence.hear();
    this.#connection.receive(chunk);
  }

  async #whenEnded(): Promise<AcpProcessEnd> {
    const end = await this.#process.ended;
    await this.#connection.finish();
    this.#silence.close();
    this.#listeners.clear();
    const { directory, redact } = this.#options;
    await directory.remove();
    const stderr = { text: this.#stderr.text(), part: 'end', isCut: this.#stderr.isCut } as const;
    return {
      ...end,
      spawnError: end.spawnError && { ...end.spawnError, detail: redact(end.spawnError.detail) },
      fault: this.#fault,
      wasAsked: this.#wasAsked,
      hung: this.#hung,
      stderr: showExcerpt(stderr, { maxCharacters: shownStderrCharacters, redact }),
    };
  }
}

/** What a process did wrong, in our words. */
function describeFault(fault: AcpFault): string {
  switch (fault.kind) {
    case 'asked':
      return `asked for ${fault.method}, which nobody allows`;
    case 'garbage':
      return 'wrote what is no message of the protocol';
    case 'overlong':
      return 'wrote a message that is too long';
  }
}

type OnUpdate = (update: AcpUpdate) => void;

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@gemini-mcp/core';
import { raceTimeout, sleepUnlessAborted } from '@gemini-mcp/core/internal';
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

/** How a process ended. */
export type AcpProcessEnd = ProcessEnd & {
  /** The violation for which we ended it, in our words; null if it ended by itself or on request. */
  readonly fault: string | null;
  readonly wasAsked: boolean;
  /** Whether it stopped answering: any of its calls may be the cause. */
  readonly hung: boolean;
  /** The end of its stderr. It may concern any of its calls: never show it to the caller of one. */
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

/** A method that no agent implements: a live one rejects it at once. */
const pingMethod = '_gemini-mcp/ping';

const keptStderrBytes = 65_536;

/** Gemini CLI 0.61.0 needs 0.15 s. */
const goodbyeMs = 500;

/** Longer than a crashing process takes to exit and close its pipes. */
const deafMs = 3_000;

const never = new AbortController().signal;

/** One `gemini --acp` from start to end. Ends the process if it breaks the protocol, makes any request of us, or is silent for too long. */
export class AcpProcess {
  /** Resolves once the process, its children and its directory are gone; never rejects. */
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

  /** Removes secrets and the paths of this machine from the output of the process. */
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

  /** Whether it still accepts requests. */
  get isThere(): boolean {
    return this.#fault === null && !this.#wasAsked && this.#process.stdin.writable;
  }

  /** Sends a request to the process. Resolves to its answer, to `timeout`, or to the end of the process; never rejects. */
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

  /** A prompt has no time limit; a watch checks the process meanwhile. */
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

  /** Resolves once this many turns of a session that is being loaded have been replayed. `forget` stops listening. */
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

  /** Resolves to whether the event came in time, before the process ended. */
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

  /** Ends an untrustworthy process at once. Its current requests end with it. */
  fault(what: string): void {
    this.#fault ??= what;
    // Nothing that it writes from here on is an answer.
    this.#connection.close();
    this.#process.kill();
  }

  /** Ends a process that stopped answering: any of its current requests may be the cause. */
  hang(what: string): void {
    this.#hung ||= this.isThere;
    this.fault(what);
  }

  /** Ends the process. Resolves when all its processes and files are gone. */
  async end(): Promise<void> {
    this.#wasAsked = true;
    this.keepAlive(true);
    this.#connection.close();
    if (keepsCompiledCode) {
      // It exits when its input closes, and saves its compile cache only then.
      this.#process.stdin.end();
      await this.within(this.#process.ended, goodbyeMs);
    }
    // No need to wait: its files are in its directory, which is removed with it.
    this.#process.kill();
    await this.ended;
  }

  /** Its input is closed, which is harmless if it ends as well. */
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

/** The violation of a process, in our words. */
function describeFault(fault: AcpFault): string {
  switch (fault.kind) {
    case 'asked':
      return `asked for ${fault.method}, which is never allowed`;
    case 'garbage':
      return 'wrote output that is not part of the protocol';
    case 'overlong':
      return 'wrote a message that is too long';
  }
}

type OnUpdate = (update: AcpUpdate) => void;

type SilenceWatchOptions = {
  readonly clock: Clock;
  /** The longest accepted silence. */
  readonly silenceMs: number;
  /** How long the answer to a ping may take. */
  readonly answerMs: number;
  /** Resolves to any answer; must not reject. */
  readonly ping: () => Promise<unknown>;
  readonly onSilent: () => void;
};

/** Pings a process that is working and has been silent for a while. A model may think for minutes, but the CLI answers at once. */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  #working = 0;
  #heardAtMs = 0;
  #hasSpoken = false;
  #isClosed = false;
  #pause: AbortController | undefined;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  /** Starts watching one operation. Each needs its `end`. */
  begin(): void {
    this.#working += 1;
    if (this.#working === 1 && !this.#isClosed) {
      this.hear();
      this.#pause = new AbortController();
      void this.#watch(this.#pause.signal);
    }
  }

  end(): void {
    this.#working -= 1;
    if (this.#working === 0) {
      this.#pause?.abort();
    }
  }

  hear(): void {
    this.#hasSpoken = true;
    this.#heardAtMs = this.#options.clock.now();
  }

  close(): void {
    this.#isClosed = true;
    this.#pause?.abort();
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { clock, silenceMs } = this.#options;
    for (;;) {
      const restMs = this.#heardAtMs + silenceMs - clock.now();
      if (restMs <= 0) {
        const isThere = await this.#ask(signal);
        if (!isThere) {
          return;
        }
      } else if (!(await sleepUnlessAborted(clock, restMs, signal))) {
        return;
      }
    }
  }

  /** Resolves to whether to go on watching. */
  async #ask(signal: AbortSignal): Promise<boolean> {
    const { clock, answerMs, ping, onSilent } = this.#options;
    this.#hasSpoken = false;
    const answer = ping().then(() => this.hear());
    const end = await raceTimeout({ event: answer, durationMs: answerMs, clock }, signal);
    if (end === 'timed-out') {
      // Timers fire before pipes are read: if this process was busy meanwhile, read pending output first.
      await nextTurn();
    }
    if (!(this.#hasSpoken || signal.aborted)) {
      onSilent();
    }
    return this.#hasSpoken && !signal.aborted;
  }
}

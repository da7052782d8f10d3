/** How much the warm processes may take, and how long they are waited for. */
export type WarmLimits = {
  readonly maxProcesses: number;
  readonly maxRunsPerProcess: number;
  /**
   * A process that has made this many sessions is replaced as soon as another is ready: it frees none, and each new one makes it
   * rebuild the system prompts of all.
   */
  readonly maxSessions: number;
  /** Replaced as well when it holds this much memory, where the system tells. */
  readonly maxRssBytes: number;
  /** From this many times either limit on, it takes no more calls, even if these have to wait for another to start. */
  readonly hardFactor: number;
  readonly spareSessions: number;
  readonly idleMs: number;
  /** From the start of a process to its first answer. Gemini CLI 0.61.0 takes 2 s on half of a slow core; one that takes ten times as long hangs. */
  readonly startTimeoutMs: number;
  readonly sessionTimeoutMs: number;
  /** A process that says nothing for this long while it works is asked whether it is there. */
  readonly silenceMs: number;
  /** How long it may take to answer that, or a cancel, before it is ended. */
  readonly answerMs: number;
};

export const defaultWarmLimits: WarmLimits = {
  maxProcesses: 4,
  maxRunsPerProcess: 8,
  maxSessions: 40,
  maxRssBytes: 734_003_200,
  hardFactor: 2,
  spareSessions: 2,
  idleMs: 600_000,
  startTimeoutMs: 20_000,
  sessionTimeoutMs: 30_000,
  silenceMs: 30_000,
  answerMs: 5_000,
};

/** A session with lent tools that was given more forgets their results: each message would send them again, and above it prices double. */
export const maxRememberedTokens = 200_000;

/** Turns after which a conversation's session is made again from its history: the CLI ends one that has had 100. */
export const maxKeptTurns = 40;

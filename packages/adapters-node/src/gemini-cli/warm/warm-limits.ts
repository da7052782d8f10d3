/** Limits for the warm processes: resources and waiting times. */
export type WarmLimits = {
  readonly maxProcesses: number;
  readonly maxRunsPerProcess: number;
  /**
   * A process with this many sessions is replaced as soon as another is ready: it never frees them, and each new session makes it
   * rebuild the system prompts of all.
   */
  readonly maxSessions: number;
  /** A process with this much memory is replaced as well, if the system reports memory. */
  readonly maxRssBytes: number;
  /** At this multiple of either limit, a process takes no more calls, even if they have to wait for another to start. */
  readonly hardFactor: number;
  readonly spareSessions: number;
  readonly idleMs: number;
  /**
   * From the start of a process to its first answer. Gemini CLI 0.61.0 takes 2 s on half of a slow core; one that takes ten times as long
   * hangs.
   */
  readonly startTimeoutMs: number;
  readonly sessionTimeoutMs: number;
  /** A working process that is silent for this long gets a ping. */
  readonly silenceMs: number;
  /** How long it may take to answer a ping or a cancel before it is ended. */
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

/**
 * A session with model tools whose last request had more input tokens than this forgets their results: each message would send them
 * again, and above this size tokens cost double.
 */
export const maxRememberedTokens = 200_000;

/** The number of turns after which a conversation's session is rebuilt from its history: the CLI ends one after 100. */
export const maxKeptTurns = 40;

import type { Clock } from '@gemini-mcp/core';
import { invalidParams, isJsonObject } from '../input/request-params.ts';
import { ClientTimedOut, type Patience } from '../surface/tool.ts';

/**
 * How long clients wait for a call, in milliseconds, whatever progress it reports. By the name in `clientInfo`, in lower case, or its beginning up to a dash.
 * Clients that wait for as long as progress comes, such as opencode and VS Code, are not listed.
 */
const limitsMs: readonly (readonly [name: string, limitMs: number])[] = [
  // Moves the call to the background then, where its model can miss the result: anthropics/claude-code issues 78407, 78566, 86464.
  ['claude-code', 120_000],
  // Claude Desktop and claude.ai: anthropics/claude-code issue 22542, anthropics/claude-ai-mcp issue 115.
  ['claude-ai', 60_000],
  ['claude-desktop', 60_000],
  // 120 s before June 2026: openai/codex pull request 28234.
  ['codex-mcp-client', 300_000],
  ['codex', 300_000],
  // The default of its setting `timeout`, which progress does not extend: MCP_DEFAULT_TIMEOUT_MSEC in its source.
  ['gemini-cli-mcp-client', 600_000],
  // The same. Its name goes on with the name of the server: QwenLM/qwen-code issue 574.
  ['qwen-cli-mcp-client', 600_000],
  // The default of Copilot CLI: github/copilot-cli issue 1378.
  ['copilot-cli', 180_000],
  ['github-copilot-developer', 180_000],
  // google-antigravity/antigravity-cli issue 780.
  ['antigravity-client', 180_000],
  // cline/cline issue 12576.
  ['cline', 60_000],
  ['@cline/core', 60_000],
  // Calls without a timeout of its own and without progress: @continuedev/cli 1.5.47, by the default of the SDK.
  ['continue-cli-client', 60_000],
  // zed-industries/zed pull request 45378.
  ['zed', 60_000],
];

/** The default of the SDKs. Only for clients that take tasks, which lose nothing by a limit that is too short. */
const usualLimitMs = 60_000;

/** In this server's namespace, as the protocol requires for names in `_meta`. */
const metaKey = 'gemini-mcp-server/callLimitMs';

const longestLimitMs = 86_400_000;

/** Clients with a shorter timeout chose it for the call at hand, and it says nothing of later calls. */
const shortestLearnedMs = 20_000;

/** A call to find the limit of. */
type LimitedCall = {
  /** The limit that the request states; null if it states none. */
  readonly statedMs: number | null;
  readonly clientName: string | null;
  /** Whether the client takes a job for an answer that is still to come; false if missing. */
  readonly takesTasks?: boolean;
};

/** How long the client of one connection waits for its calls. */
export class CallLimits {
  readonly #setMs: number | null;
  #learnedMs = Number.POSITIVE_INFINITY;

  /** `setMs` is the operator's limit for all clients: 0 for no limit, null to go by the client. */
  constructor(setMs: number | null) {
    this.#setMs = setMs;
  }

  /** When a call should return at the latest, in milliseconds from its arrival; null if the client waits for as long as it takes. */
  returnAfterMs({ statedMs, clientName, takesTasks = false }: LimitedCall): number | null {
    const knownMs = Math.min(limitOf(clientName), this.#learnedMs);
    const isUnknown = knownMs === Number.POSITIVE_INFINITY;
    const limitMs = statedMs ?? this.#setMs ?? (isUnknown && takesTasks ? usualLimitMs : knownMs);
    return limitMs === 0 || limitMs === Number.POSITIVE_INFINITY ? null : limitMs - marginOf(limitMs);
  }

  /** Notes that the client gave up a call after this time because of its own limit. */
  noteTimeout(afterMs: number): void {
    if (afterMs >= shortestLearnedMs) {
      this.#learnedMs = Math.min(this.#learnedMs, afterMs);
    }
  }
}

/** Time for the result to reach the client: a tenth of the limit, at least a second and at most ten, but never more than half. */
function marginOf(limitMs: number): number {
  return Math.min(limitMs / 2, Math.max(1_000, Math.min(limitMs / 10, 10_000)));
}

function limitOf(clientName: string | null): number {
  const name = clientName?.toLowerCase() ?? '';
  const known = limitsMs.find(
    ([known]) => name === known || (known.endsWith('-client') && name.startsWith(`${known}-`)),
  );
  return known?.[1] ?? Number.POSITIVE_INFINITY;
}

/** The limit that a request states in its `_meta`: 0 for no limit, null if it states none. Throws an `RpcError` if it is invalid. */
export function readStatedLimit(params: unknown): number | null {
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  const stated = isJsonObject(meta) ? meta[metaKey] : undefined;
  if (stated === undefined) {
    return null;
  }
  if (typeof stated !== 'number' || !Number.isInteger(stated) || stated < 0 || stated > longestLimitMs) {
    throw invalidParams(`Invalid parameters: _meta["${metaKey}"] must be whole milliseconds up to ${longestLimitMs}`);
  }
  return stated;
}

/** The TypeScript SDK says "Request timed out", the Rust SDK "request timeout". */
const timeoutWords = /\btim(?:ed|e)[ -]?out\b/i;

/** Whether a client that cancels ran out of time. The protocol has no field for that but the text of `reason`. */
export function timeoutIn(reason: unknown): ClientTimedOut | undefined {
  return typeof reason === 'string' && timeoutWords.test(reason) ? new ClientTimedOut() : undefined;
}

/** How long the client of one call waits. */
export type CallLimit = {
  /** When the call arrived, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** When it should return at the latest, in milliseconds from its arrival; null if the client waits for as long as it takes. */
  readonly returnAfterMs: number | null;
  /** Called if the client gives the call up because of its own limit, with the time from the arrival. */
  readonly onTimeout: (afterMs: number) => void;
};

/** Watches the patience of a client with a running call. Call `end` when the call is over: no timer and no listener remains. */
export class PatienceWatch {
  readonly patience: Patience;
  readonly #limit: CallLimit;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #nearsEnd = new AbortController();
  #hasEnded = false;
  /** Null if the client has no limit. */
  #timer: AbortController | null = null;

  /** `signal` belongs to the call. */
  constructor(limit: CallLimit, clock: Clock, signal: AbortSignal) {
    this.#limit = limit;
    this.#clock = clock;
    this.#signal = signal;
    const { startedAtMs, returnAfterMs } = limit;
    this.patience = { startedAtMs, nearsEnd: this.#nearsEnd.signal, isLimited: returnAfterMs !== null };
    signal.addEventListener('abort', this.#noteAbort, { once: true });
    this.#startTimer(limit.startedAtMs);
  }

  /** Resolves as the work does. Meanwhile no request of the client waits, and its next one has the whole patience again. */
  async suspendFor<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#timer?.abort();
    try {
      return await work();
    } finally {
      this.#startTimer(this.#clock.now());
    }
  }

  end(): void {
    this.#hasEnded = true;
    this.#timer?.abort();
    this.#signal.removeEventListener('abort', this.#noteAbort);
  }

  #startTimer(fromMs: number): void {
    const { returnAfterMs } = this.#limit;
    if (returnAfterMs === null || this.#hasEnded || this.#signal.aborted) {
      return;
    }
    const timer = new AbortController();
    this.#timer = timer;
    this.#clock.sleep(Math.max(0, fromMs + returnAfterMs - this.#clock.now()), timer.signal).then(
      () => this.#nearsEnd.abort(),
      () => undefined,
    );
  }

  readonly #noteAbort = (): void => {
    if (this.#signal.reason instanceof ClientTimedOut) {
      this.#limit.onTimeout(this.#clock.now() - this.#limit.startedAtMs);
    }
  };
}

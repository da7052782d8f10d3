import type { AskGemini } from '../ask-gemini/ask-gemini.ts';
import { type AskRequest, type OnProgress, withoutFiles } from '../ask-gemini/ask-request.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { Clock } from '../ports/clock.ts';
import type { GeminiRunner } from '../ports/gemini-runner/gemini-runner.ts';
import type { CallDirectory } from '../ports/gemini-runner/run-request.ts';
import { plainRunSettings } from '../ports/gemini-runner/run-settings.ts';
import type { Session, SessionStore, StoredSession } from '../ports/session-store.ts';
import {
  beginSession,
  changeSession,
  extendSession,
  type NewSession,
  type SessionChange,
  type SessionExchange,
} from '../session/session-exchange.ts';
import { KeyedLock } from '../waiting/keyed-lock.ts';
import { aborted, unlessAborted } from '../waiting/unless-aborted.ts';
import { askMessage } from './ask-message.ts';
import type { ChatReplyRequest, ChatRequest } from './chat-request.ts';
import type { ChatResult } from './chat-result.ts';

const maxTries = 5;

/** An answer that has arrived is saved whole: cancelling is too late for it. */
const patient = new AbortController().signal;

const maxWaitingPerSession = 8;
const newestSessions = 5;

export type ChatOptions = {
  readonly clock: Clock;
  readonly sessions: SessionStore;
  readonly askGemini: Pick<AskGemini, 'ask'>;
  /** The runner that `askGemini` uses: its capabilities decide how Gemini is told to search. */
  readonly runner: GeminiRunner;
  /** Creates a UUID. */
  readonly createId: () => string;
};

/** One reply in progress. */
type Reply = {
  readonly request: ChatReplyRequest;
  readonly sessionId: string;
  readonly deadlineAtMs: number;
  readonly onProgress: OnProgress;
};

/**
 * Conversations. The stored turns are the whole state: each reply sends all of them, so that it continues after a restart and with any model.
 *
 * Nothing rejects because of Gemini, the store or a caller. An abort of `signal` resolves to a `cancelled` failure, except for an answer that has
 * already arrived: that one is saved and returned.
 */
export class Chat {
  readonly #options: ChatOptions;
  readonly #turns: KeyedLock;

  constructor(options: ChatOptions) {
    this.#options = options;
    this.#turns = new KeyedLock({ clock: options.clock, maxWaiting: maxWaitingPerSession });
  }

  /** Begins a conversation. A first message that fails creates none. */
  async start(request: ChatRequest, onProgress: OnProgress, signal: AbortSignal): Promise<ChatResult> {
    const { clock, sessions, createId } = this.#options;
    const {
      owner,
      prompt,
      model,
      settings,
      directory,
      servers,
      search = false,
      urls,
      timeoutMs,
      trace,
      origin,
    } = request;
    const given = { ...(directory !== undefined && { directory }), ...(servers !== undefined && { servers }) };
    const askedAtMs = clock.now();
    const question = {
      ...withoutFiles,
      ...{ owner, prompt, model, settings, timeoutMs, trace, origin },
      ...given,
      history: [],
      mayContinue: true,
    };
    const message = { ...this.#options, request: question, search, urls, onProgress };
    const asked = await askMessage(message, signal);
    if (!asked.ok) {
      return { ok: false, sessionId: null, failed: asked.failed };
    }
    const { id, notKept } = await keepFirstExchange({
      sessions,
      known: { owner, model, systemPrompt: settings.systemPrompt, workingDirectory: directory?.path ?? null, search },
      exchange: { prompt, askedAtMs, answer: asked.kept, answeredAtMs: clock.now() },
      createId,
    });
    return { ok: true, sessionId: id, answer: asked.answer, notKept, sourceLines: asked.sourceLines };
  }

  /**
   * Continues a conversation. Replies to one conversation run one at a time, in the order in which they came; waiting counts against the timeout.
   * More than 8 waiting replies are `busy`.
   */
  async reply(request: ChatReplyRequest, onProgress: OnProgress, signal: AbortSignal): Promise<ChatResult> {
    const deadlineAtMs = this.#options.clock.now() + request.timeoutMs;
    const sessionId = request.sessionId ?? (await unlessAborted(this.#findNewest(request.owner, signal), signal));
    if (sessionId === aborted) {
      return failed(request, null, { kind: 'cancelled' });
    }
    if (sessionId === null) {
      return failed(request, null, { kind: 'unknown-session', newest: [] });
    }
    return this.#replyInTurn({ request, sessionId, deadlineAtMs, onProgress }, signal);
  }

  async #findNewest(owner: string, signal: AbortSignal): Promise<string | null> {
    const [newest] = await this.#options.sessions.list(owner, 1, signal);
    return newest?.id ?? null;
  }

  async #replyInTurn(reply: Reply, signal: AbortSignal): Promise<ChatResult> {
    const { request, sessionId, deadlineAtMs, onProgress } = reply;
    const key = JSON.stringify([request.owner, sessionId]);
    const ahead = this.#turns.countOf(key);
    const turn = this.#turns.acquire(key, deadlineAtMs, signal);
    if (ahead > 0) {
      onProgress({ type: 'queued', ahead });
    }
    const attempt = await turn;
    if (!attempt.acquired) {
      return failed(request, sessionId, failureOf(attempt.reason));
    }
    try {
      return await this.#replyToStored(reply, signal);
    } finally {
      attempt.release();
    }
  }

  async #replyToStored(reply: Reply, signal: AbortSignal): Promise<ChatResult> {
    const { sessions } = this.#options;
    const { request, sessionId } = reply;
    const loading = sessions
      .load(request.owner, sessionId, signal)
      .catch((error: unknown) => shortageOf(error, signal));
    const stored = await unlessAborted(loading, signal);
    if (stored === aborted) {
      return failed(request, sessionId, { kind: 'cancelled' });
    }
    if (stored !== null && 'kind' in stored) {
      return failed(request, sessionId, stored);
    }
    return stored === null ? this.#explainUnknown(request, signal) : this.#askAndKeep(reply, stored, signal);
  }

  async #explainUnknown(request: ChatReplyRequest, signal: AbortSignal): Promise<ChatResult> {
    const { sessions } = this.#options;
    const newest = await unlessAborted(sessions.list(request.owner, newestSessions, signal), signal);
    return newest === aborted
      ? failed(request, null, { kind: 'cancelled' })
      : failed(request, null, { kind: 'unknown-session', newest });
  }

  async #askAndKeep(reply: Reply, stored: StoredSession, signal: AbortSignal): Promise<ChatResult> {
    const { clock, sessions } = this.#options;
    const { request, sessionId, deadlineAtMs, onProgress } = reply;
    const askedAtMs = clock.now();
    if (askedAtMs >= deadlineAtMs) {
      return failed(request, sessionId, { kind: 'timeout' });
    }
    const change = changeOf(request);
    const session = changeSession(stored.session, change);
    const question = questionTo(session, request, deadlineAtMs - askedAtMs);
    const { search = false } = session;
    const message = { ...this.#options, request: question, search, urls: request.urls, onProgress };
    const asked = await askMessage(message, signal);
    if (!asked.ok) {
      // Users see the time of the whole call, not the rest after waiting.
      return { ok: false, sessionId, failed: { ...asked.failed, timeoutMs: request.timeoutMs } };
    }
    const exchange = {
      prompt: request.prompt,
      askedAtMs,
      answer: asked.kept,
      answeredAtMs: clock.now(),
    };
    const notKept = await keepExchange({ sessions, stored, change, exchange });
    return { ok: true, sessionId, answer: asked.answer, notKept, sourceLines: asked.sourceLines };
  }
}

function questionTo(session: Session, reply: ChatReplyRequest, timeoutMs: number): AskRequest {
  const { prompt, servers, trace, origin } = reply;
  const { owner, model, turns, systemPrompt } = session;
  const history = turns.map(({ role, text }) => ({ role, text }));
  const directory = directoryOf(session, reply);
  return {
    ...withoutFiles,
    ...{ owner, prompt, model, history, timeoutMs, trace, origin },
    settings: { ...plainRunSettings, systemPrompt },
    ...(directory !== null && { directory }),
    ...(servers !== undefined && { servers }),
    mayContinue: true,
  };
}

/** A conversation outlives its directory: only a directory that this call names must exist. */
function directoryOf(
  { workingDirectory: path }: Session,
  { directory, mayReadFiles = true, roots }: ChatReplyRequest,
): CallDirectory | null {
  return mayReadFiles && path !== null
    ? { path, isOptional: directory === null, ...(roots !== undefined && { roots }) }
    : null;
}

function changeOf({ mayReadFiles = true, ...request }: ChatReplyRequest): SessionChange {
  const { model, systemPrompt, directory, search } = request;
  return { model, systemPrompt, workingDirectory: mayReadFiles ? directory : null, search: search ?? null };
}

/** Why the lookup of a session failed. */
function shortageOf(error: unknown, signal: AbortSignal): GeminiFailure {
  signal.throwIfAborted();
  return { kind: 'resources-exhausted', detail: error instanceof Error ? error.message : '' };
}

function failureOf(reason: 'busy' | 'cancelled' | 'timeout'): GeminiFailure {
  return reason === 'busy' ? { kind: 'busy', retryAfterMs: null } : { kind: reason };
}

function failed({ timeoutMs }: ChatReplyRequest, sessionId: string | null, failure: GeminiFailure): ChatResult {
  return { ok: false, sessionId, failed: { failure, attempts: [], partialText: '', context: null, timeoutMs } };
}

type KeepFirstOptions = {
  readonly sessions: SessionStore;
  readonly known: Omit<NewSession, 'id'>;
  readonly exchange: SessionExchange;
  readonly createId: () => string;
};

/** Saves a new session. Resolves to its id, and to the reason if it could not be saved, otherwise null. */
async function keepFirstExchange({
  sessions,
  known,
  exchange,
  createId,
}: KeepFirstOptions): Promise<{ readonly id: string; readonly notKept: string | null }> {
  let id = createId();
  for (let tries = 1; ; tries += 1) {
    const result = await sessions.save(beginSession({ ...known, id }, exchange), 0, patient);
    if (result.saved) {
      return { id, notKept: null };
    }
    if (result.reason === 'unavailable') {
      return { id, notKept: result.detail };
    }
    if (tries === maxTries) {
      return { id, notKept: 'no id was free for it' };
    }
    id = createId();
  }
}

type KeepOptions = {
  readonly sessions: SessionStore;
  /** As it was when the message was sent. */
  readonly stored: StoredSession;
  readonly change: SessionChange;
  readonly exchange: SessionExchange;
};

/**
 * Saves a session with one more exchange, after any that another process has added in the meantime. Resolves to null, or to why it could not be
 * saved, as a text for a user.
 */
async function keepExchange({ sessions, stored, change, exchange }: KeepOptions): Promise<string | null> {
  const { owner, id }: Session = stored.session;
  let newest = stored;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const result = await sessions.save(extendSession(newest.session, change, exchange), newest.version, patient);
    if (result.saved) {
      return null;
    }
    if (result.reason === 'unavailable') {
      return result.detail;
    }
    const loaded = await sessions.load(owner, id, patient).catch(wordsOf);
    if (loaded === null || typeof loaded === 'string') {
      return loaded ?? 'the session was deleted in the meantime';
    }
    newest = loaded;
  }
  return 'other calls changed the session at each attempt to save it';
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'the session could not be read';
}

import type { ConversationTurn, GeminiRunner, InlineMedia, ToolAccess, ToolCall, WebPage } from '@gemini-mcp/core';
import type { PromiseOptions, Proof } from '../proof.ts';

/** What a search found before the model answered. */
export type FoundBySearch = {
  readonly queries: readonly string[];
  readonly sources: readonly { readonly url: string; readonly title: string }[];
  /** Texts that are in the answer once, and places in `sources`. */
  readonly supports: readonly { readonly text: string; readonly sources: readonly number[] }[];
};

/** A call that a model makes. */
export type ModelCall = Pick<ToolCall, 'name' | 'arguments'>;

/** What the model, or the way to it, does in a run. */
export type Situation =
  | {
      readonly type: 'answer';
      readonly chunks: readonly string[];
      /** Whatever comes after the first chunk is said only once this has settled. */
      readonly release?: Promise<unknown>;
      /** What the API counts; the harness chooses where it is missing. */
      readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
      /** Of the web, in the same run. None when it is missing. */
      readonly search?: FoundBySearch;
      /** What became of pages that were to be read. None was tried when it is missing. */
      readonly pages?: readonly WebPage[];
    }
  /** Calls tools that the run lends, those of a list together once the results of the list before are there. Then says the chunks. */
  | { readonly type: 'calls'; readonly rounds: readonly (readonly ModelCall[])[]; readonly chunks: readonly string[] }
  /** Says the chunks, then nothing more. */
  | { readonly type: 'hang'; readonly chunks: readonly string[] }
  | { readonly type: 'empty' }
  /** Thinks, and says nothing. */
  | { readonly type: 'thoughts' }
  /** A safety filter lets no text through, or refuses the prompt as a whole. */
  | { readonly type: 'blocked'; readonly what: 'answer' | 'prompt' }
  /** Says the chunks, and ends them with this `finishReason` of the API. */
  | { readonly type: 'ended'; readonly finishReason: string; readonly chunks: readonly string[] }
  /** Says the chunks and ends in good order, without a reason for the end. */
  | { readonly type: 'unfinished'; readonly chunks: readonly string[] }
  /** The connection breaks after the chunks; where there are none, before any answer. */
  | { readonly type: 'cut'; readonly chunks: readonly string[] }
  | {
      readonly type: 'failure';
      readonly httpStatus: number;
      readonly message: string;
      /** What the model says before the error, which then comes in the stream of the answer; nothing when it is missing. */
      readonly chunks?: readonly string[];
      /** Of the `ErrorInfo` among the details of the error; without it the error has none. */
      readonly reason?: string;
    }
  /** HTTP 429 as Google sends it: for the quota of a minute with the time to wait, or for that of a day. */
  | { readonly type: 'quota'; readonly of: 'minute'; readonly retryAfterSeconds: number }
  | { readonly type: 'quota'; readonly of: 'day' };

/** What reached the model with one message. */
export type CarriedContext = {
  /** The model that was asked. */
  readonly model: string;
  /** The API key that was used; null for a login of the runner's that is none. */
  readonly apiKey: string | null;
  /** What the model was offered to do. */
  readonly tools: ToolAccess;
  /** Whether what it does is done inside of a sandbox; missing where that cannot be seen. */
  readonly isInSandbox?: boolean;
  /** What was said before, oldest first, without what the runner itself puts there. */
  readonly history: readonly ConversationTurn[];
  readonly systemPrompt: string;
  readonly media: readonly Pick<InlineMedia, 'mediaType' | 'bytes'>[];
  /** Addresses of pages that the model was given to read; none when it is missing. */
  readonly urls?: readonly string[];
  /** The JSON Schema that the answer was to fit; missing where there was none. */
  readonly answerSchema?: unknown;
  /** How much the model was told to think, in the words of what carries it; missing where it was not told. */
  readonly thinking?: string;
  /** All that was sent with the message, and the message itself, as one text to search in. */
  readonly whole: string;
};

/** What becomes of requests to count: they are counted, get no answer, or fail as the API fails. */
export type CountSituation =
  | { readonly type: 'count' }
  | { readonly type: 'hang' }
  | { readonly type: 'failure'; readonly httpStatus: number; readonly message: string };

/** How a test watches a runner count. */
export type CountingHooks = {
  /** Says what becomes of requests to count from now on; they are counted until then. */
  readonly arrange: (situation: CountSituation) => void;
  /** What was to be counted, in order. */
  readonly carried: () => readonly CarriedContext[];
  /** Resolves once so many requests to count have arrived since the harness was made. */
  readonly whenReceived: (count: number) => Promise<void>;
};

/** What a model sees of the tools that runs lend. */
export type ToolSessionHooks = {
  /** The names of the tools that it was offered with each message. */
  readonly offered: () => readonly (readonly string[])[];
  /** The texts that it was told of its calls, for each list of calls. */
  readonly results: () => readonly (readonly string[])[];
};

export type GeminiRunnerHarness = {
  readonly runner: GeminiRunner;
  /** Says what happens from now on in a run with that message. */
  readonly arrange: (choose: (input: string) => Situation) => void;
  /** The messages that reached the model, in order, each without what the runner itself puts before it. */
  readonly received: () => readonly string[];
  /** Resolves once that many messages have reached the model since the harness was made. */
  readonly whenReceived: (count: number) => Promise<void>;
  /** What reached the model with each of these messages. Needed for what a runner declares besides a plain message. */
  readonly carried?: () => readonly CarriedContext[];
  /** Needed for a runner that counts tokens. */
  readonly counting?: CountingHooks;
  /** Needed for a runner that lends tools. */
  readonly toolSession?: ToolSessionHooks;
  /**
   * A directory that the runner may give, with another inside of it; one next to both that it may give as well, whose name
   * begins like that of the first; and one that it may not give. Needed for a runner that gives
   * directories.
   */
  readonly directories?: {
    readonly outer: string;
    readonly inner: string;
    readonly other: string;
    readonly forbidden: string;
  };
  /** Whether what carries the runs hides an error that is an event of a stream, as the Gemini CLI does. */
  readonly hidesStreamErrors?: boolean;
  /** Ends whatever carries the runs now, as a crash does; missing where nothing does. */
  readonly kill?: () => Promise<void>;
  /** The present time of the runner's clock. */
  readonly now: () => number;
  /** Makes the runner's clock go forward at once. */
  readonly pass: (durationMs: number) => Promise<void>;
  /**
   * What is left of runs that are over: processes, files, timers; empty when there is nothing. What a runner keeps for
   * runs to come is not among it.
   */
  readonly leftovers: () => Promise<readonly string[]>;
  /** Closes the runner, if it can be closed, and removes everything. */
  readonly dispose: () => Promise<void>;
  /** What was still there when the runner had been closed by `dispose`: nothing may be. */
  readonly remains?: () => Promise<readonly string[]>;
};

/** What each part of the suite is given: a place for its promises, and fresh harnesses, whose runner's calls a failure shows. */
export type GeminiRunnerSubject = {
  readonly proof: Proof;
  readonly open: (situation: Situation) => Promise<GeminiRunnerHarness>;
};

/** For tests of many runs: where each starts a program, they take long. */
export const manyRuns: PromiseOptions = { deadlines: 5 };

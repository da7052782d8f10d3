import type { ConversationTurn, GeminiRunner, InlineMedia, ToolAccess, ToolCall, WebPage } from '@gemini-mcp/core';
import type { PromiseOptions, Proof } from '../proof.ts';

/** What a search found before the model answered. */
export type FoundBySearch = {
  readonly queries: readonly string[];
  readonly sources: readonly { readonly url: string; readonly title: string }[];
  /** Texts that occur once in the answer, and indexes into `sources`. */
  readonly supports: readonly { readonly text: string; readonly sources: readonly number[] }[];
};

/** A call that a model makes. */
export type ModelCall = Pick<ToolCall, 'name' | 'arguments'>;

/** What the model, or the connection to it, does in a run. */
export type Situation =
  | {
      readonly type: 'answer';
      readonly chunks: readonly string[];
      /** The model continues after the first chunk only once this has settled. */
      readonly release?: Promise<unknown>;
      /** The API's counts; the harness chooses if missing. */
      readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
      /** Web searches in the same run. Default: no search. */
      readonly search?: FoundBySearch;
      /** The results of reading pages. Default: no page. */
      readonly pages?: readonly WebPage[];
    }
  /** Calls model tools, those of a list together once the results of the list before have arrived. Then sends the chunks. */
  | { readonly type: 'calls'; readonly rounds: readonly (readonly ModelCall[])[]; readonly chunks: readonly string[] }
  /** Sends the chunks, then nothing more. */
  | { readonly type: 'hang'; readonly chunks: readonly string[] }
  | { readonly type: 'empty' }
  /** Thinks without sending text. */
  | { readonly type: 'thoughts' }
  /** A safety filter withholds the text, or refuses the whole prompt. */
  | { readonly type: 'blocked'; readonly what: 'answer' | 'prompt' }
  /** Sends the chunks, and ends them with this `finishReason` of the API. */
  | { readonly type: 'ended'; readonly finishReason: string; readonly chunks: readonly string[] }
  /** Sends the chunks and ends the stream without a finish reason. */
  | { readonly type: 'unfinished'; readonly chunks: readonly string[] }
  /** The connection breaks after the chunks; without chunks, before any answer. */
  | { readonly type: 'cut'; readonly chunks: readonly string[] }
  | {
      readonly type: 'failure';
      readonly httpStatus: number;
      readonly message: string;
      /** Chunks before the error, which is then an event of the stream. Default: no chunks. */
      readonly chunks?: readonly string[];
      /** The `ErrorInfo` among the details of the error. Default: no such detail. */
      readonly reason?: string;
    }
  /** HTTP 429 as Google sends it: for the quota of a minute, with the time to wait, or for the quota of a day. */
  | { readonly type: 'quota'; readonly of: 'minute'; readonly retryAfterSeconds: number }
  | { readonly type: 'quota'; readonly of: 'day' };

/** What reached the model with one message. */
export type CarriedContext = {
  /** The requested model. */
  readonly model: string;
  /** The API key of the request; null for a login without a key. */
  readonly apiKey: string | null;
  /** The tools that the model was offered. */
  readonly tools: ToolAccess;
  /** Whether tools run in a sandbox; missing if the harness cannot see it. */
  readonly isInSandbox?: boolean;
  /** The turns before, oldest first, without the runner's own. */
  readonly history: readonly ConversationTurn[];
  readonly systemPrompt: string;
  readonly media: readonly Pick<InlineMedia, 'mediaType' | 'bytes'>[];
  /** Addresses of pages for the model to read. Default: no pages. */
  readonly urls?: readonly string[];
  /** The JSON Schema of the answer; missing if the request had no schema. */
  readonly answerSchema?: unknown;
  /** The level of thinking in the backend's words; missing if not set. */
  readonly thinking?: string;
  /** The tier of service in the backend's words; missing if not set. */
  readonly serviceTier?: string;
  /** The whole request with the message, as one text to search in. */
  readonly whole: string;
};

/** How requests to count end: with a count, without an answer, or with an error of the API. */
export type CountSituation =
  | { readonly type: 'count' }
  | { readonly type: 'hang' }
  | { readonly type: 'failure'; readonly httpStatus: number; readonly message: string };

/** How a test observes a runner that counts. */
export type CountingHooks = {
  /** Sets how the following requests to count end. Until then they are counted. */
  readonly arrange: (situation: CountSituation) => void;
  /** The requests to count, in order. */
  readonly carried: () => readonly CarriedContext[];
  /** Resolves once that many requests to count have arrived since the harness was made. */
  readonly whenReceived: (count: number) => Promise<void>;
};

/** What a model sees of model tools. */
export type ToolSessionHooks = {
  /** The names of the tools offered with each message. */
  readonly offered: () => readonly (readonly string[])[];
  /** The results of its calls as texts, for each list of calls. */
  readonly results: () => readonly (readonly string[])[];
};

export type GeminiRunnerHarness = {
  readonly runner: GeminiRunner;
  /** Sets what happens in runs with that message. */
  readonly arrange: (choose: (input: string) => Situation) => void;
  /** The messages that reached the model, in order, each without the runner's own preamble. */
  readonly received: () => readonly string[];
  /** Resolves once that many messages have reached the model since the harness was made. */
  readonly whenReceived: (count: number) => Promise<void>;
  /** What reached the model with each of these messages. Needed for features beyond a plain message. */
  readonly carried?: () => readonly CarriedContext[];
  /** Needed for a runner that counts tokens. */
  readonly counting?: CountingHooks;
  /** Needed for a runner that lends tools. */
  readonly toolSession?: ToolSessionHooks;
  /**
   * A directory that the runner may give, with another inside; a second one next to it that it may also give, whose name
   * begins like the first's; and one that it may not give. Needed for a runner that gives directories.
   */
  readonly directories?: {
    readonly outer: string;
    readonly inner: string;
    readonly other: string;
    readonly forbidden: string;
  };
  /** Whether the backend hides an error that is an event of a stream, as the Gemini CLI does. */
  readonly hidesStreamErrors?: boolean;
  /** Ends the backend of the runs as a crash does; missing if it cannot crash. */
  readonly kill?: () => Promise<void>;
  /** The current time of the runner's clock. */
  readonly now: () => number;
  /** Advances the runner's clock. */
  readonly pass: (durationMs: number) => Promise<void>;
  /**
   * Processes, files and timers that ended runs have left; empty if clean. What a runner keeps for later runs does not
   * count.
   */
  readonly leftovers: () => Promise<readonly string[]>;
  /** Closes the runner, if it can be closed, and removes everything. */
  readonly dispose: () => Promise<void>;
  /** What `dispose` found after closing the runner: it must be empty. */
  readonly remains?: () => Promise<readonly string[]>;
};

/** The input of each part of the suite: its proof, and new harnesses, whose runner's calls a failure shows. */
export type GeminiRunnerSubject = {
  readonly proof: Proof;
  readonly open: (situation: Situation) => Promise<GeminiRunnerHarness>;
};

/** For tests of many runs, which take long if each starts a program. */
export const manyRuns: PromiseOptions = { deadlines: 5 };

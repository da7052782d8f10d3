import type { ToolAccess } from './run-settings.ts';

/** Models in the order in which they are tried; never empty. */
export type ModelChain = readonly [string, ...string[]];

/** What a runner supports. Fixed for the life of the runner. */
export type RunnerCapabilities = {
  /** The runner's name in logs: `headless`, `scripted`. */
  readonly name: string;
  /** Largest `input`, in UTF-8 bytes, that reaches the model whole. */
  readonly maxInputBytes: number;
  /**
   * Largest sum of `input` and the texts of `history`, in UTF-16 code units (`string.length`), that reaches the model whole. With `history`, a runner
   * may count a unit beyond ASCII as several; its refusal gives the figure that it counted.
   */
  readonly maxInputCharacters: number;
  /** Supports `history`. */
  readonly resume: boolean;
  /** The values of `settings.tools` that it can enforce. Without `everything` it takes no directory either. */
  readonly tools: readonly ToolAccess[];
  /** Can run Gemini's tools inside a sandbox (`settings.sandbox`). */
  readonly sandbox: boolean;
  /** Can set the system prompt (`settings.systemPrompt`). A runner that cannot also omits `plainInstruction`. */
  readonly systemPrompt: boolean;
  /** Media types that it accepts as inline parts; empty if it accepts no media. */
  readonly mediaTypes: readonly string[];
  /** Largest sum of the sizes of a request's media, in bytes. */
  readonly maxMediaBytes: number;
  /** Answers without starting a process for each call. */
  readonly warmStart: boolean;
  /** Calls Google's API directly, without looking for or starting a program. May also do so if missing. */
  readonly direct?: boolean;
  /** How requests reach Gemini, for readers of the answer; if missing, they see `name`. */
  readonly backend?: RunnerBackend;
  /** Yields text while the model writes; otherwise the answer comes whole, shortly before the end. */
  readonly streaming: boolean;
  /** Yields one `usage` event in each run that ends in an answer; otherwise no such event. */
  readonly usage: boolean;
  /** Can use the key of a request (`settings.apiKey`). */
  readonly keyOfCall: boolean;
  /** Has no login of its own, so it carries only requests with a key. False if missing. */
  readonly needsKeyOfCall?: boolean;
  /** Can constrain an answer to a JSON Schema (`answerSchema`). False if missing, like all flags below. */
  readonly answerSchema?: boolean;
  /** Supports `settings.thinking`. */
  readonly thinking?: boolean;
  /** Supports `settings.serviceTier`, and says so in a `notice` event of each run that asked for it. */
  readonly flexibleTier?: boolean;
  /** Can have Gemini read web pages by address (`urls`). */
  readonly urls?: boolean;
  /** Yields a `grounding` event in each run that searched: the sources, and the parts of the text that rest on them. */
  readonly grounding?: boolean;
  /** Lets Gemini call the tools of a request's `toolProviders`. */
  readonly offersTools?: boolean;
  /** Supports `countTokens`. */
  readonly tokenCount?: boolean;
  /** Models for callers who name none, best first. `defaultModelChain` if missing. */
  readonly models?: ModelChain;
};

/** How requests reach Gemini, in the runner's own words. Cost and terms depend on it. */
export type RunnerBackend = {
  /** The service or program: `Gemini API`, `Gemini CLI`. */
  readonly by: string;
  /** The kind of login, without names or secrets: `API key`. Missing if the runner does not know it. */
  readonly login?: string;
};

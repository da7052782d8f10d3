import type { ToolAccess } from './run-settings.ts';

/** Models in the order in which they are tried; never empty. */
export type ModelChain = readonly [string, ...string[]];

/** What a runner can carry and do. Fixed for the life of the runner. */
export type RunnerCapabilities = {
  /** Names the way of running in logs: `headless`, `scripted`. */
  readonly name: string;
  /** Largest `input`, in UTF-8 bytes, that reaches the model whole. */
  readonly maxInputBytes: number;
  /**
   * Largest `input` and texts of `history` together, in UTF-16 code units (`string.length`), that reach the model whole. Where
   * there is `history`, a runner may count a unit beyond ASCII as several; its refusal has the figure that it counted.
   */
  readonly maxInputCharacters: number;
  /** Can go on with a conversation that it is given (`history`). */
  readonly resume: boolean;
  /** Which choices of `settings.tools` it can keep to; without `everything` it takes no directory either. */
  readonly tools: readonly ToolAccess[];
  /** Can run Gemini's tools inside a sandbox (`settings.sandbox`). */
  readonly sandbox: boolean;
  /** Can set the system prompt (`settings.systemPrompt`). A runner that cannot leaves out `plainInstruction` as well. */
  readonly systemPrompt: boolean;
  /** Media types that it can carry as inline parts; empty where it carries none. */
  readonly mediaTypes: readonly string[];
  /** Largest sum of the sizes of a request's media. */
  readonly maxMediaBytes: number;
  /** Answers without starting a process for each call. */
  readonly warmStart: boolean;
  /** Asks Google's API itself: it looks for no program and starts none. It may do so when this is missing. */
  readonly direct?: boolean;
  /** How requests go by it, for a reader of the answer; `name` alone says it when this is missing. */
  readonly backend?: RunnerBackend;
  /** Yields text while the model still writes; otherwise the answer comes as a whole, shortly before the end. */
  readonly streaming: boolean;
  /** Tells the tokens of each run that ends in an answer, in one `usage` event; otherwise there is none. */
  readonly usage: boolean;
  /** Can run with the key that a request brings (`settings.apiKey`). */
  readonly keyOfCall: boolean;
  /** Has no login of its own, so that it carries only requests that bring a key. It has one when this is missing. */
  readonly needsKeyOfCall?: boolean;
  /** Can hold an answer to a JSON Schema (`answerSchema`). Not when it is missing, as with all that follow. */
  readonly answerSchema?: boolean;
  /** Can be told how much Gemini is to think (`settings.thinking`). */
  readonly thinking?: boolean;
  /** Can have Gemini read pages of the web by their addresses (`urls`). */
  readonly urls?: boolean;
  /** Tells what a search found and which words rest on it, in a `grounding` event of each run that searched. */
  readonly grounding?: boolean;
  /** Lets Gemini call the tools that a request lends (`toolProviders`). */
  readonly offersTools?: boolean;
  /** Counts the tokens of a request (`countTokens`). */
  readonly tokenCount?: boolean;
  /** Models for callers who name none, best first. `defaultModelChain` when it is missing. */
  readonly models?: ModelChain;
};

/** How requests go by a runner, in words of its own. Cost and terms differ by it. */
export type RunnerBackend = {
  /** What is asked: `Gemini API`, `Gemini CLI`. */
  readonly by: string;
  /** With which login, without a name or a secret in it: `API key`. Missing where the runner does not know it. */
  readonly login?: string;
};

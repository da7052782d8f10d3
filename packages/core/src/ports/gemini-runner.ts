import type { DeliveredEnding } from '../failure/answer-ending.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { ModelChain } from '../fallback/model-chain.ts';
import type { Grounding } from '../grounding/grounding.ts';
import type { WebPage } from '../grounding/web-page.ts';
import type { ChoiceReason } from '../runner-choice/choice-reason.ts';
import type { InlineMedia } from './context-resolver.ts';
import type { TokenCount } from './token-count.ts';
import type { ToolSource } from './tool-source.ts';

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
  readonly way?: RunnerWay;
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
  /** Lets Gemini call the tools that a request lends (`toolSources`). */
  readonly lendsTools?: boolean;
  /** Counts the tokens of a request (`countTokens`). */
  readonly tokenCount?: boolean;
  /** Models for callers who name none, best first. `defaultModelChain` when it is missing. */
  readonly models?: ModelChain;
};

/** How requests go by a runner, in words of its own. Cost and terms differ by it. */
export type RunnerWay = {
  /** What is asked: `Gemini API`, `Gemini CLI`. */
  readonly by: string;
  /** With which login, without a name or a secret in it: `API key`. Missing where the runner does not know it. */
  readonly login?: string;
};

/** One thing that was said in a conversation. */
export type ConversationTurn = {
  readonly role: 'user' | 'model';
  readonly text: string;
};

/**
 * What Gemini may do besides answering and calling lent tools: nothing; search the web and nothing else; or all that the runner can do,
 * unasked.
 */
export type ToolAccess = 'none' | 'web-search' | 'everything';

/** How much Gemini thinks before it answers: more costs time and tokens. */
export type ThinkingLevel = 'low' | 'medium' | 'high';

/** How Gemini is run, whatever it is asked. The same for each attempt of a call. */
export type RunSettings = {
  /**
   * The system prompt of the run; null for the one that `systemPromptOf` says: `plainInstruction`, or with `everything` the
   * runner's own, if it has one. White space around it may get lost.
   */
  readonly systemPrompt: string | null;
  readonly tools: ToolAccess;
  /** The API key for this run alone; null for the login that the runner has. */
  readonly apiKey: string | null;
  /** Whether Gemini's tools are to run inside a sandbox. */
  readonly sandbox: boolean;
  /** As much as the model thinks by itself when it is missing. */
  readonly thinking?: ThinkingLevel;
};

/** `plainInstruction` as the system prompt, no tools, the runner's login. */
export const plainRunSettings: RunSettings = {
  systemPrompt: null,
  tools: 'none',
  apiKey: null,
  sandbox: false,
};

/** A directory that a call names. */
export type CallDirectory = {
  /** Absolute. */
  readonly path: string;
  /** Whether the call goes on without it where it cannot be given, and says so; otherwise it is refused. */
  readonly isOptional: boolean;
  /**
   * Absolute directories at or below which it has to lie as well, whatever else is allowed: an empty list allows none. No such limit
   * if missing.
   */
  readonly roots?: readonly string[];
};

export type RunRequest = {
  readonly model: string;
  /** The whole message to Gemini, delivered literally: nothing in it is a command to whatever carries it. */
  readonly input: string;
  /** Time by which the run has ended, in milliseconds since the epoch of the runner's clock. */
  readonly deadlineAtMs: number;
  /** What was said before, oldest first: user and model in turn, beginning with the user. None when it is missing. */
  readonly history?: readonly ConversationTurn[];
  /**
   * On whose behalf: what a runner keeps between runs it shares out among owners, and one owner's runs do not make another's
   * slow. No one's when it is missing.
   */
  readonly owner?: string;
  /** Images, PDFs and other media that go with the message, in order. None when it is missing. */
  readonly media?: readonly InlineMedia[];
  /** `plainRunSettings` when it is missing. */
  readonly settings?: RunSettings;
  /**
   * What Gemini works on with `everything`: the runner refuses one that is not allowed as `directory-refused`, and one that comes with
   * less as `unsupported`. None if missing.
   */
  readonly directory?: CallDirectory;
  /**
   * Whether another turn may follow, with this message and its answer at the end of its `history`: a runner may keep what
   * makes that one quick. Without it a runner keeps nothing of the run.
   */
  readonly mayContinue?: boolean;
  /** The JSON Schema of the answer, one JSON value; the model is held to what the runner knows of it. Prose when it is missing. */
  readonly answerSchema?: Readonly<Record<string, unknown>>;
  /** Addresses (http and https) of pages that Google is to read for the answer. None when it is missing. */
  readonly urls?: readonly string[];
  /** Whose tools Gemini may call in the run, besides what `settings` allow. None when it is missing. */
  readonly toolSources?: readonly ToolSource[];
};

/** The parts of a request that decide which runner can carry it, before its message is written. */
export type RunNeeds = Pick<RunRequest, 'history' | 'settings' | 'directory' | 'answerSchema' | 'urls' | 'toolSources'>;

/** Tokens that one model used in a run. */
export type ModelUsage = {
  readonly model: string;
  /** All of the input, the cached part among it. */
  readonly inputTokens: number;
  /** What the model wrote, without its thoughts where these are told apart. */
  readonly outputTokens: number;
  /** What the model thought. Missing where the runner was not told, as are those below. */
  readonly thoughtTokens?: number;
  /** The part of the input that Google had in its cache. */
  readonly cachedTokens?: number;
  /** What results of Google's own tools were in addition to the input. */
  readonly toolTokens?: number;
};

/** By which of several runners a run was carried. */
export type CarriedBy = RunnerWay & {
  /** The name that the runner declares. */
  readonly runner: string;
  /** Why by this one. */
  readonly reason: ChoiceReason;
};

/** How a run ended. */
export type RunEnd = (
  | {
      readonly type: 'answer';
      /** How the model ended it; null where the runner was not told. */
      readonly ending: DeliveredEnding | null;
      /** The model that answered, by the name that the API gave it. Missing where the runner was not told. */
      readonly modelVersion?: string;
    }
  /** What went wrong, by its meaning: the runner knows how what it talks to says that. Text that came before was not the answer. */
  | { readonly type: 'failure'; readonly failure: GeminiFailure }
) & {
  /** Who carried the run, where one runner speaks for several; missing otherwise. */
  readonly carriedBy?: CarriedBy;
};

/** What one of Gemini's tools does. */
export type ToolEvent = {
  readonly type: 'tool';
  /** The runner's own name for it. A search of the web goes by `google_web_search`, whatever carries it. */
  readonly name: string;
  readonly phase: 'started' | 'succeeded' | 'failed';
  /** What was said of a tool that failed: text from strangers, capped and redacted. */
  readonly detail?: string;
  /** What that means, where a tool failed for a reason that the runner knows. */
  readonly failure?: GeminiFailure;
};

export type RunEvent =
  /** What the run waits for before Gemini is asked, in the runner's own words, one line. Nothing in it comes from the request. */
  | { readonly type: 'status'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  /** What a reader of the answer should know about the run, in the runner's own words, one sentence. */
  | { readonly type: 'notice'; readonly text: string }
  | ToolEvent
  | { readonly type: 'usage'; readonly models: readonly ModelUsage[] }
  /** What Google searched for and found. At most once, after the text. */
  | { readonly type: 'grounding'; readonly grounding: Grounding }
  /** What became of each page of `urls` that was tried. At most once, after the text. */
  | { readonly type: 'pages'; readonly pages: readonly WebPage[] }
  | RunEnd;

/**
 * Carries one request to Gemini. An implementer owes:
 *
 * - Events in the order in which they happened: any number of `status`, before all others but notices; the text of the answer, each piece once and unchanged; what the run used, what
 *   a search found and what became of pages, each at most once and after the text; exactly one `RunEnd`, last. An answer only where visible text came and the model ended it as
 *   one that is delivered.
 * - The request as it says, for that run alone: its model, key and settings, and message, conversation, system prompt and media
 *   unchanged and whole, up to the sizes that are declared. What is larger is refused as `context-too-large` with both figures,
 *   and what else of it cannot be honoured as `unsupported`, before anything is sent. The request itself stays as it was.
 * - Each call of a lent tool to its source once, with the arguments as Gemini gave them, and the result back to Gemini whole; calls of
 *   tools that may change something one at a time, in Gemini's order. None goes on when the run has ended.
 * - The end of the run by `deadlineAtMs` (plus the time that a stubborn process needs to die) as a `timeout`, and soon after an
 *   abort as `cancelled`. A consumer that stops iterating early ends the run as an abort does. Runs go on side by side: none
 *   waits for another, carries anything of another, or ends with another.
 * - Every process, file, connection and timer of the run gone before the end is yielded, and no listener left on the signal.
 * - Nothing of the run in a log of Google's that a request can be kept out of (`store: false` for a key of the Gemini API), unless the
 *   operator allows it.
 * - Whatever goes wrong as a failure of the kind that says what it means, never as an exception. Its words hold no key of a
 *   call and no stack trace.
 * - No retries of its own, but for one: where a process that serves several runs ends, a run of which nothing has been yielded
 *   yet may be carried once more by another.
 */
export interface GeminiRunner {
  readonly capabilities: RunnerCapabilities;
  run(request: RunRequest, signal: AbortSignal): AsyncIterable<RunEvent>;
  /** What carries a request that needs this, where one runner stands for several. `capabilities` when it is missing. */
  capabilitiesFor?(needs: RunNeeds): RunnerCapabilities;
  /**
   * Counts what `run` would send, without asking the model anything. There where `tokenCount` is declared. Ends by the deadline of
   * the request as a `timeout`, and soon after an abort as `cancelled`; never rejects.
   */
  countTokens?(request: RunRequest, signal: AbortSignal): Promise<TokenCount>;
}

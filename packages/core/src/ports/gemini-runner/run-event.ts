import type { DeliveredEnding } from '../../failure/answer-ending.ts';
import type { GeminiFailure, UnsupportedFeature } from '../../failure/gemini-failure.ts';
import type { Grounding, WebPage } from './grounding.ts';
import type { RunnerBackend } from './runner-capabilities.ts';
import type { ModelUsage } from './token-usage.ts';

/** Why a runner carries a request, or has its place in the order. */
export type ChoiceReason =
  | 'preferred'
  | 'asked-for'
  /** The request needs it, and the preferred runner does not declare it. */
  | `needs-${UnsupportedFeature}`
  | 'too-large'
  | 'resting'
  | 'in-reserve'
  /** The runner before it refused the request as unsupported. */
  | 'refused'
  /** The runner before it could not be had. */
  | 'unavailable'
  /** No runner can carry the request: the answer is the refusal of this one. */
  | 'lacks-least';

/** By which of several runners a run was carried. */
export type HandledBy = RunnerBackend & {
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
  readonly handledBy?: HandledBy;
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

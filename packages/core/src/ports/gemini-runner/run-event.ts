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
  /** The runner before it was unavailable. */
  | 'unavailable'
  /** No runner supports the request: the answer is this runner's refusal. */
  | 'lacks-least';

/** Which of several runners carried a run. */
export type HandledBy = RunnerBackend & {
  /** The name in the runner's capabilities. */
  readonly runner: string;
  /** Why this runner was chosen. */
  readonly reason: ChoiceReason;
};

/** How a run ended. */
export type RunEnd = (
  | {
      readonly type: 'answer';
      /** How the model ended it; null if the runner does not know. */
      readonly ending: DeliveredEnding | null;
      /** The model that answered, by the API's name for it. Missing if the runner does not know. */
      readonly modelVersion?: string;
    }
  /** What went wrong, as a kind: each runner maps its errors to these. Text yielded before is not the answer. */
  | { readonly type: 'failure'; readonly failure: GeminiFailure }
) & {
  /** Which runner carried the run, if one runner stands for several; missing otherwise. */
  readonly handledBy?: HandledBy;
};

/** A step of one of Gemini's tools. */
export type ToolEvent = {
  readonly type: 'tool';
  /** The runner's own name for the tool. A web search is `google_web_search` in every runner. */
  readonly name: string;
  readonly phase: 'started' | 'succeeded' | 'failed';
  /** The error text of a tool that failed: untrusted, capped and redacted. */
  readonly detail?: string;
  /** The failure that it means, if the runner knows why the tool failed. */
  readonly failure?: GeminiFailure;
};

export type RunEvent =
  /** What the run waits for before Gemini is asked: one line in the runner's own words, with nothing from the request. */
  | { readonly type: 'status'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  /** What a reader of the answer should know about the run: one sentence in the runner's own words. */
  | { readonly type: 'notice'; readonly text: string }
  | ToolEvent
  | { readonly type: 'usage'; readonly models: readonly ModelUsage[] }
  /** What Google searched for and found. At most once, after the text. */
  | { readonly type: 'grounding'; readonly grounding: Grounding }
  /** The outcome of each page of `urls` that was tried. At most once, after the text. */
  | { readonly type: 'pages'; readonly pages: readonly WebPage[] }
  | RunEnd;

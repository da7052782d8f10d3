import type { AnswerEnding } from '../failure/answer-ending.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { Grounding, WebPage } from '../ports/gemini-runner/grounding.ts';
import type { ToolEvent } from '../ports/gemini-runner/run-event.ts';
import type { ModelUsage, TokenCount } from '../ports/gemini-runner/token-usage.ts';
import type { ScriptedToolSession } from './scripted-tool-session.ts';

/** The course and the end of a scripted run. */
export type ScriptedRun = {
  /** Its statuses, before any other event. */
  readonly statuses?: readonly string[];
  /** The steps of its tools before the first text. */
  readonly tools?: readonly Omit<ToolEvent, 'type'>[];
  /** Its calls of model tools before the first text. */
  readonly toolSession?: ScriptedToolSession;
  readonly chunks?: readonly string[];
  readonly usage?: readonly ModelUsage[];
  readonly grounding?: Grounding;
  readonly pages?: readonly WebPage[];
  /** Chunks after the first are held back until this settles. */
  readonly release?: Promise<unknown>;
  /** Yields nothing after the chunks, until the run is cancelled or times out. */
  readonly hangs?: boolean;
  /** Once this settles, a hanging run ends like one whose process was killed. */
  readonly killed?: Promise<unknown>;
  /** How the model ended the answer; complete by default, null for a runner that does not know. */
  readonly ending?: AnswerEnding | null;
  /** The model that answered, if an ending is reported; the requested one by default. */
  readonly modelVersion?: string;
  /** The failure after the chunks; no failure by default. */
  readonly failure?: GeminiFailure;
  /** Called when the run is over, for any reason. */
  readonly onEnd?: () => void;
};

/** The result of a count: a number, a failure, or none until it is cancelled or times out. */
export type ScriptedCount = TokenCount | { readonly hangs: true };

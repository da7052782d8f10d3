import type { AnswerEnding } from '../failure/answer-ending.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { Grounding, WebPage } from '../ports/gemini-runner/grounding.ts';
import type { ToolEvent } from '../ports/gemini-runner/run-event.ts';
import type { ModelUsage, TokenCount } from '../ports/gemini-runner/token-usage.ts';
import type { ScriptedToolSession } from './scripted-tool-session.ts';

/** How a scripted run goes: what it says, and how it ends. */
export type ScriptedRun = {
  /** What it says that it waits for, before all else. */
  readonly statuses?: readonly string[];
  /** What its tools do before it says anything. */
  readonly tools?: readonly Omit<ToolEvent, 'type'>[];
  /** What it does with the tools that the run lends, before it says anything. */
  readonly toolSession?: ScriptedToolSession;
  readonly chunks?: readonly string[];
  readonly usage?: readonly ModelUsage[];
  readonly grounding?: Grounding;
  readonly pages?: readonly WebPage[];
  /** The chunks after the first are held back until this settles. */
  readonly release?: Promise<unknown>;
  /** Says nothing more after the chunks, until it is cancelled or its time is over. */
  readonly hangs?: boolean;
  /** Once this settles, a run that hangs ends as the run of a killed process does. */
  readonly killed?: Promise<unknown>;
  /** How the model ended the answer; complete by default, null for a runner that is not told. */
  readonly ending?: AnswerEnding | null;
  /** The model that says that it answered, where an ending is told; the one that was asked by default. */
  readonly modelVersion?: string;
  /** What went wrong after the chunks; nothing by default. */
  readonly failure?: GeminiFailure;
  /** Called when the run is over, whichever way it ended. */
  readonly onEnd?: () => void;
};

/** What comes of a request to count: a number, a failure, or nothing until it is cancelled or its time is over. */
export type ScriptedCount = TokenCount | { readonly hangs: true };

import type { AskAnswer, AskFailure } from '../answers/ask-result.ts';
import type { AskProgress, AskRequest } from '../ask-gemini/ask-request.ts';
import type { CommandRule } from '../commands/command-rule.ts';
import type { Approver, StepToApprove } from '../ports/approver.ts';
import type { WorkStep } from '../ports/run-step.ts';
import type { ServersOfCall } from '../ports/upstreams/tool-provider-factory.ts';
import type { WorkspaceOptions } from '../ports/workspace/executor.ts';
import type { StepRefusal } from '../ports/workspace/step-result.ts';
import type { Workspace } from '../ports/workspace/workspace.ts';
import type { WorkAccount } from './work-account.ts';
import type { WorkBudget } from './work-budget.ts';
import type { WorkLog } from './work-log.ts';

/** A task for Gemini in a project. Files are named as in a question. */
export type WorkRequest = Omit<
  AskRequest,
  | 'prompt'
  | 'owner'
  | 'history'
  | 'mayContinue'
  | 'settings'
  | 'answerSchema'
  | 'toolProviders'
  | 'doneBefore'
  | 'servers'
> &
  Pick<WorkspaceOptions, 'owner' | 'workingDirectory' | 'roots' | 'mode' | 'network'> & {
    readonly task: string;
    readonly budget: WorkBudget;
    /** Asks the user to approve steps. */
    readonly approver: Approver;
    /** Upstreams whose tools Gemini may also use. No upstreams if missing. */
    readonly servers?: Omit<ServersOfCall, 'approver'>;
  };

/** The properties of a run that decide its tools. */
export type ProjectForTools = Pick<WorkRequest, 'mode'> & {
  readonly workspace: Workspace;
  /** Whether commands can run: the mode has them, and there is a sandbox. */
  readonly runsCommands: boolean;
  /** The rules for commands. */
  readonly rules: readonly CommandRule[];
  /** Resolves to null if the user allows a step, otherwise to the refusal. Never rejects. */
  readonly askUser: (step: StepToApprove, signal: AbortSignal) => Promise<StepRefusal | null>;
  readonly log: WorkLog;
  /** As in `ToolProvider`. */
  readonly reach?: string;
};

/** Progress of a run: its current activity, or a step that it takes. */
export type WorkProgress =
  | AskProgress
  | { readonly type: 'step'; readonly step: WorkStep }
  /** The user is asked to approve a step; `about` is one line, safe to show. */
  | { readonly type: 'asking-user'; readonly about: string };

/** How a run ended, with its account unless it could not begin. */
export type WorkResult =
  | { readonly type: 'answered'; readonly answer: AskAnswer; readonly account: WorkAccount }
  | { readonly type: 'failed'; readonly failed: AskFailure; readonly account: WorkAccount }
  | { readonly type: 'refused'; readonly refusal: StepRefusal };

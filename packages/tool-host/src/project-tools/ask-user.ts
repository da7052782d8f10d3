import type { CommandPlan, ProposedChange, StepRefusal } from '@gemini-mcp/core';

/** A step that only the user can allow. */
export type StepToAllow = {
  /** How long it may take once it is allowed, in milliseconds. */
  readonly timeMs: number;
} & (
  | { readonly type: 'change'; readonly change: ProposedChange }
  | { readonly type: 'command'; readonly plan: CommandPlan; readonly reason: string }
);

/** Resolves to null where the user allows a step, otherwise to why it is not taken. Never rejects. */
export type AskUser = (step: StepToAllow, signal: AbortSignal) => Promise<StepRefusal | null>;

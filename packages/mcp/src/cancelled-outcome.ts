import type { ToolOutcome } from './tool.ts';

/** The outcome of a call that nobody waits for any more. */
export const cancelledOutcome: ToolOutcome = {
  text: 'The call was cancelled.',
  isError: true,
  detail: { type: 'refused', reason: 'cancelled' },
};

import type { StepRefusal } from '@gemini-mcp/core';

type Usual = 'cancelled' | 'unknown-handle' | 'too-many-commands' | 'mode-without-commands';

const refusals: Readonly<Record<Usual, StepRefusal>> = {
  cancelled: {
    code: 'cancelled',
    message: 'The command was ended because the call or the run has ended.',
    hint: '',
    retriable: false,
  },
  'unknown-handle': {
    code: 'not-found',
    message: 'There is no command with this handle: it has ended and was reported, or never was.',
    hint: 'Run the command again.',
    retriable: false,
  },
  'too-many-commands': {
    code: 'out-of-budget',
    message: 'Eight commands of this run are under way.',
    hint: 'Wait for one of them, or stop it.',
    retriable: true,
  },
  'mode-without-commands': {
    code: 'refused-command',
    message: 'This run may not run commands: only the mode `full` does.',
    hint: 'Go on without commands, and say in the answer which ones the user should run.',
    retriable: false,
  },
};

/** The refusals of commands that say the same each time. */
export function refuseStep(name: Usual): StepRefusal {
  return refusals[name];
}

/** `detail` says what is missing, and what to do about it. */
export function refuseWithoutSandbox(detail: string): StepRefusal {
  return {
    code: 'sandbox-unavailable',
    message: `No command can be run here: there is no sandbox for it. ${detail}`,
    hint: 'Go on without commands, and say in the answer which ones the user should run.',
    retriable: false,
  };
}

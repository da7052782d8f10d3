import { relative } from 'node:path';
import type { StepRefusal } from '@gemini-mcp/core';
import type { CutLook } from './protect/guarded-look.ts';

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
    message: 'No command has this handle: it has ended and was reported, or never existed.',
    hint: 'Run the command again.',
    retriable: false,
  },
  'too-many-commands': {
    code: 'out-of-budget',
    message: 'Eight commands of this run are already running.',
    hint: 'Wait for one of them, or stop it.',
    retriable: true,
  },
  'mode-without-commands': {
    code: 'refused-command',
    message: 'This run may not run commands: that takes the mode `full`.',
    hint: 'Go on without commands, and say in the answer which ones the user should run.',
    retriable: false,
  },
};

export function refuseStep(name: Usual): StepRefusal {
  return refusals[name];
}

const unlooked: Readonly<Record<CutLook['reason'], string>> = {
  entries: 'It has more files and directories than are checked before a command',
  places: 'It has more secrets and protected files than can be kept from a command',
  names: 'It has names that are not UTF-8, which cannot be kept from a command',
};

/** The refusal of a command that needs the user's consent because some of the project was not checked. `from`: an absolute path. */
export function refuseUnmasked({ reason, where }: CutLook, from: string): StepRefusal {
  const place = JSON.stringify(relative(from, where) || '.');
  return {
    code: 'needs-approval',
    message: `Not all of this project can be protected. ${unlooked[reason]}: it may read secrets and change protected files there, such as at ${place}.`,
    hint: 'Go on without commands, and say in the answer which ones the user should run.',
    retriable: false,
    risk: 'unmasked',
  };
}

/** `detail` names the missing part, and how to get it. */
export function refuseWithoutSandbox(detail: string): StepRefusal {
  return {
    code: 'sandbox-unavailable',
    message: `Commands cannot run here, because there is no sandbox. ${detail}`,
    hint: 'Go on without commands, and say in the answer which ones the user should run.',
    retriable: false,
  };
}

import type { ProposedChange, StepRefusal, StepRefusalCode } from '../ports/workspace/step-result.ts';

/** What a workspace refuses, in the words that every executor uses. `path` is shown as it is given: escape what a stranger named. */

export function refusal(code: StepRefusalCode, message: string, hint = ''): StepRefusal {
  return { code, message, hint, retriable: false };
}

export function refused(because: StepRefusal): { readonly ok: false; readonly refusal: StepRefusal } {
  return { ok: false, refusal: because };
}

export function outsideRoots(path: string, hint = 'Use paths relative to the working directory.'): StepRefusal {
  return refusal('outside-roots', `${path} is outside the allowed directories.`, hint);
}

export function notFound(path: string): StepRefusal {
  return refusal('not-found', `${path} does not exist.`, 'List the directory to see its entries.');
}

export function looksSecret(path: string): StepRefusal {
  return refusal('protected', `${path} looks like a file with keys or passwords.`, 'Go on without it.');
}

export function isProtected(path: string, reason: string): StepRefusal {
  return refusal('protected', `Tools may not change ${path}. ${reason}`, 'Tell the user what to change there.');
}

export function readsOnly(): StepRefusal {
  return refusal(
    'protected',
    'This run may only read: its mode is plan.',
    'Describe the change in your answer; the user can run the task in edit mode.',
  );
}

export function approvalRequired(proposal: ProposedChange): StepRefusal {
  return {
    ...refusal('needs-approval', `A change to ${proposal.path} needs the consent of the user. ${proposal.reason}`),
    proposal,
  };
}

export function changedSinceRead(path: string): StepRefusal {
  return refusal(
    'changed-since-read',
    `${path} is not what this run last saw: something else has changed it.`,
    'View it again, then make the change to its current contents.',
  );
}

export function neverSeen(path: string): StepRefusal {
  return refusal(
    'changed-since-read',
    `${path} exists, and this run has not read it yet.`,
    'View it before you replace all of it, or modify a part of it.',
  );
}

export function seenInPart(path: string, firstUnseenLine: number): StepRefusal {
  return refusal(
    'changed-since-read',
    `${path} exists, and this run has viewed only a part of it.`,
    `View it from line ${firstUnseenLine} on before you replace all of it, or modify a part of it.`,
  );
}

export function tooLarge(path: string, sizeBytes: number, limitBytes: number, hint: string): StepRefusal {
  return refusal('too-large', `${path} has ${sizeBytes} bytes, and the limit of this tool is ${limitBytes}.`, hint);
}

export function notText(path: string, kind: string): StepRefusal {
  return refusal('invalid-arguments', `${path} is not UTF-8 text (${kind}).`, 'Images and PDFs can be looked at.');
}

export function isNoFile(path: string, kind: string): StepRefusal {
  return refusal('invalid-arguments', `${path} is ${kind}, not a file.`, kind === 'a directory' ? 'List it.' : '');
}

export function isNoDirectory(path: string): StepRefusal {
  return refusal('invalid-arguments', `${path} is not a directory.`, 'View it, or name its parent directory.');
}

export function cancelled(): StepRefusal {
  return refusal('cancelled', 'The run was cancelled. Nothing was changed by this step.');
}

export function isClosed(): StepRefusal {
  return refusal('cancelled', 'The run is over. Nothing was changed by this step.');
}

export function noMedia(path: string): StepRefusal {
  return refusal(
    'invalid-arguments',
    `${path} is not an image, a PDF or another media type that Gemini accepts.`,
    'View it as text.',
  );
}

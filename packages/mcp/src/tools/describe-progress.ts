import { type FailureWords, failureReason, type WorkProgress } from '@gemini-mcp/core';
import { countOf, escapeName, stepText } from '@gemini-mcp/core/internal';
import type { ToolProgress } from '../tool.ts';

/** What a call to Gemini is doing, in words for a client's screen. Null for what is not worth a word. */
export function describeProgress(progress: WorkProgress, words?: FailureWords): ToolProgress | null {
  if (progress.type === 'text') {
    return progress;
  }
  const message = describeStep(progress, words);
  return message === null ? null : { type: 'status', message, ...weightOf(progress) };
}

function weightOf(step: WorkProgress): Omit<Extract<ToolProgress, { type: 'status' }>, 'type' | 'message'> {
  switch (step.type) {
    case 'asking':
      return { model: step.model, ...(step.attempt > 1 && { startsOver: true }) };
    case 'queued':
    case 'status':
    case 'waiting':
    case 'falling-back':
    case 'step':
    case 'asking-user':
      return { isNotable: true };
    default:
      return {};
  }
}

function describeStep(step: Exclude<WorkProgress, { type: 'text' }>, words?: FailureWords): string | null {
  switch (step.type) {
    case 'queued':
      return step.ahead === 0 ? 'Waiting for a place' : `Waiting for a place behind ${countOf(step.ahead, 'call')}`;
    case 'status':
      return escapeName(step.text);
    case 'reading-context':
      return 'Reading files';
    case 'context-ready':
      return `Read ${countOf(step.files, 'file')}, ${countOf(step.bytes, 'byte')}`;
    case 'asking':
      return `Asking ${step.model}, attempt ${step.attempt}`;
    case 'tool':
      return step.phase === 'started' ? `Gemini uses its tool ${escapeName(step.name)}` : null;
    case 'asking-user':
      return `Asking the user about: ${step.about}`;
    case 'step':
      return stepText(step.step);
    case 'waiting':
      return `${step.model}: ${failureReason(step.failure, words)}. Trying again in ${countOf(Math.ceil(step.delayMs / 1_000), 'second')}`;
    case 'falling-back':
      return `${step.from}: ${failureReason(step.failure, words)}. Falling back to ${step.to}`;
  }
}

import type { JobReport } from '@gemini-mcp/core';
import { byteStart, escapeName, formatCount, quoteStrangers } from '@gemini-mcp/core/internal';
import type { ToolOutcome } from '../surface/tool.ts';

/** Enough to see the progress; the result holds everything. Shown as an escape, one byte takes six. */
const shownPartialBytes = 6_000;

/** The outcome of a call whose work goes on as a job: the handle, the text so far, and the call that waits for the rest. */
export function describeHandover(job: JobReport<ToolOutcome>): ToolOutcome {
  const lines = [
    `Not finished yet. Before your client stops waiting, this call has become job ${job.handle}; Gemini works on, and nothing has to be asked again.`,
    waitingCall(job),
    ...partialLines(job),
  ];
  const meta = { jobHandle: job.handle, jobState: job.state };
  return { text: lines.join('\n'), isError: false, meta, detail: { type: 'job', job, goesOn: true } };
}

/** What a job's owner reads of it: its progress while it runs, then its result. */
export function describeJob(job: JobReport<ToolOutcome>, nowMs: number): ToolOutcome {
  const { handle, state, result } = job;
  const meta = { jobHandle: handle, jobState: state };
  const detail = { type: 'job', job } as const;
  const seconds = formatCount(Math.round(((job.endedAtMs ?? nowMs) - job.startedAtMs) / 1_000));
  if (state === 'running') {
    const progress = `Job ${handle} is running, for ${seconds} s now. ${job.status}`.trimEnd();
    const lines = [progress, waitingCall(job), ...partialLines(job)];
    return { text: lines.join('\n'), isError: false, meta, detail };
  }
  const opening = `Job ${handle} ${state} after ${seconds} s: ${escapeName(job.title)}`;
  const ending = result === null ? partialLines(job) : result.text === '' ? [] : ['', result.text];
  const blocks = result?.blocks;
  return {
    ...(result?.note !== undefined && { note: result.note }),
    ...(result?.answer !== undefined && { answer: result.answer }),
    // A program reads the JSON that it asked for, so the JSON stays alone.
    text: isJson(result) ? result.text : [opening, ...ending].join('\n'),
    isError: state === 'failed',
    ...(blocks !== undefined && { blocks }),
    meta: { ...result?.meta, ...meta },
    detail,
  };
}

function isJson(result: ToolOutcome | null): result is ToolOutcome {
  return result?.detail?.type === 'answer' && result.detail.json !== undefined;
}

function partialLines({ partialText }: JobReport<ToolOutcome>): readonly string[] {
  if (partialText.trim() === '') {
    return [];
  }
  const shown = partialText.slice(byteStart(partialText, shownPartialBytes));
  const cut = shown.length < partialText.length ? `, its last ${formatCount(shown.length)}` : '';
  const title = `Text so far (incomplete, ${formatCount(partialText.length)} characters${cut}):`;
  return ['', title, quoteStrangers(shown)];
}

function waitingCall({ handle }: JobReport<ToolOutcome>): string {
  return `To wait for the result, call gemini_job with handle "${handle}" and action "wait".`;
}

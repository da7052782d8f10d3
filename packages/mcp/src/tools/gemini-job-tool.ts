import type { Clock, JobReport, Jobs } from '@gemini-mcp/core';
import { byteStart, escapeName, formatCount, quoteStrangers } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { Tool, ToolContext, ToolOutcome } from '../surface/tool.ts';
import { geminiJob } from './tool-declarations.ts';

const description = `Shows, awaits or cancels a background job. Returns its result once it has ended, before \
that its progress and the text so far. Results are kept for an hour.`;

const descriptions = {
  handle: 'As returned when it started.',
  action: 'wait returns when the job ends or the timeout expires.',
  timeout: 'Seconds to wait. Your client may have a shorter limit.',
} as const;

/** Enough to see the progress; the result holds everything. Shown as an escape, one byte takes six. */
const shownPartialBytes = 6_000;

export type GeminiJobToolOptions = {
  readonly jobs: Jobs<ToolOutcome>;
  readonly clock: Clock;
};

/** Creates the tool `gemini_job`: shows, awaits or cancels a job by its handle. */
export function createGeminiJobTool(options: GeminiJobToolOptions): Tool {
  const input = z.strictObject({
    handle: z.string().min(1).max(100).describe(descriptions.handle),
    action: z.enum(['status', 'wait', 'cancel']).default('status').describe(descriptions.action),
    timeout: z.int().min(1).max(3_600).default(25).describe(descriptions.timeout),
  });
  const tool: Tool<typeof input> = {
    ...geminiJob,
    description,
    input,
    run: async (args, context) => {
      const job = await act(options, args, context);
      return job === null ? await unknownJob(options, context.owner) : describeJob(job, options.clock.now());
    },
  };
  return tool;
}

type Action = {
  readonly handle: string;
  readonly action: 'status' | 'wait' | 'cancel';
  readonly timeout: number;
};

async function act(
  { jobs }: GeminiJobToolOptions,
  { handle, action, timeout }: Action,
  { owner, signal, progress }: ToolContext,
): Promise<JobReport<ToolOutcome> | null> {
  switch (action) {
    case 'status':
      return jobs.report(owner, handle);
    case 'cancel':
      return jobs.cancel(owner, handle);
    case 'wait':
      progress({ type: 'status', message: `Waiting for job ${escapeName(handle)}` });
      return jobs.wait({ owner, handle, timeoutMs: timeout * 1_000 }, signal);
  }
}

function describeJob(job: JobReport<ToolOutcome>, nowMs: number): ToolOutcome {
  const { handle, state, result } = job;
  const meta = { jobHandle: handle, jobState: state };
  const detail = { type: 'job', job } as const;
  const seconds = formatCount(Math.round(((job.endedAtMs ?? nowMs) - job.startedAtMs) / 1_000));
  if (state === 'running') {
    const lines = [`Job ${handle} is running, for ${seconds} s now. ${job.status}`.trimEnd(), ...partialLines(job)];
    return { text: lines.join('\n'), isError: false, meta, detail };
  }
  const opening = `Job ${handle} ${state} after ${seconds} s: ${escapeName(job.title)}`;
  const ending = result === null ? partialLines(job) : result.text === '' ? [] : ['', result.text];
  const blocks = result?.blocks;
  return {
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

async function unknownJob({ jobs }: GeminiJobToolOptions, owner: string): Promise<ToolOutcome> {
  const listed = await jobs.list(owner);
  const known = listed.map(({ handle, state, title }) => `  - ${handle}: ${state}, ${escapeName(title)}`);
  const text = [
    'Unknown job: it has expired, ended with an earlier server process, or the handle is wrong.',
    ...(known.length === 0 ? ['You have no jobs.'] : ['Your jobs:', ...known.slice(0, 10)]),
  ];
  return { text: text.join('\n'), isError: true, detail: { type: 'refused', reason: 'unknown-job' } };
}

import type { Clock, JobReport, Jobs } from '@gemini-mcp/core';
import { escapeName } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { Tool, ToolContext, ToolOutcome } from '../surface/tool.ts';
import { describeJob } from './describe-job.ts';
import { geminiJob } from './tool-declarations.ts';

/** Clients without a known limit may stop waiting after a minute. */
const usualTimeoutSeconds = 25;

const longestTimeoutSeconds = 3_600;

const description = `Status of a running background job: progress and text so far, or the result. Can wait for or cancel it. What takes long becomes a job.`;

const descriptions = {
  handle: 'Without one your jobs are listed.',
  action: 'wait: until it ends.',
  timeout: 'Seconds to wait.',
} as const;

export type GeminiJobToolOptions = {
  readonly jobs: Jobs<ToolOutcome>;
  readonly clock: Clock;
};

/** Creates the tool `gemini_job`: shows, awaits or cancels a job by its handle. */
export function createGeminiJobTool(options: GeminiJobToolOptions): Tool {
  const input = z.strictObject({
    handle: z.string().min(1).max(100).optional().describe(descriptions.handle),
    action: z.enum(['status', 'wait', 'cancel']).default('status').describe(descriptions.action),
    timeout: z.int().min(1).max(longestTimeoutSeconds).optional().describe(descriptions.timeout),
  });
  const tool: Tool<typeof input> = {
    ...geminiJob,
    description,
    input,
    run: async ({ handle, ...args }, context) => {
      if (handle === undefined) {
        return { text: (await jobLines(options, context.owner)).join('\n'), isError: false };
      }
      const job = await act(options, { handle, ...args }, context);
      return job === null ? await unknownJob(options, context.owner) : describeJob(job, options.clock.now());
    },
  };
  return tool;
}

type Action = {
  readonly handle: string;
  readonly action: 'status' | 'wait' | 'cancel';
  readonly timeout?: number | undefined;
};

async function act(
  { jobs }: GeminiJobToolOptions,
  { handle, action, timeout }: Action,
  { owner, signal, progress, patience }: ToolContext,
): Promise<JobReport<ToolOutcome> | null> {
  switch (action) {
    case 'status':
      return jobs.report(owner, handle);
    case 'cancel':
      return jobs.cancel(owner, handle);
    case 'wait': {
      progress({ type: 'status', message: `Waiting for job ${escapeName(handle)}` });
      const seconds = timeout ?? (patience?.isLimited === true ? longestTimeoutSeconds : usualTimeoutSeconds);
      return jobs.wait(
        { owner, handle, timeoutMs: seconds * 1_000 },
        patience === undefined ? signal : AbortSignal.any([signal, patience.nearsEnd]),
      );
    }
  }
}

async function unknownJob(options: GeminiJobToolOptions, owner: string): Promise<ToolOutcome> {
  const text = [
    'Unknown job: it has expired, ended with an earlier server process, or the handle is wrong.',
    ...(await jobLines(options, owner)),
  ];
  return { text: text.join('\n'), isError: true, detail: { type: 'refused', reason: 'unknown-job' } };
}

async function jobLines({ jobs }: GeminiJobToolOptions, owner: string): Promise<readonly string[]> {
  const listed = await jobs.list(owner);
  const known = listed.map(({ handle, state, title }) => `  - ${handle}: ${state}, ${escapeName(title)}`);
  return known.length === 0 ? ['You have no jobs.'] : ['Your jobs:', ...known.slice(0, 10)];
}

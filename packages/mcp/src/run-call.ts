import type { Clock } from '@gemini-mcp/core';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ContentBlock } from './content/content-block.ts';
import type { McpLog } from './mcp-log.ts';
import { ProgressReporter } from './progress-reporter.ts';
import { CallQuestions } from './questions/call-questions.ts';
import { cancelledOutcome, runTool } from './run-tool.ts';
import type { Tool, ToolContext, ToolOutcome } from './tool.ts';
import type { IncomingCall } from './tool-host.ts';

export type CallToRun = Omit<IncomingCall, 'name'> & { readonly clock: Clock; readonly log: McpLog };

/** Runs a call of a tool, with its progress and its questions. Every failure is an error result. */
export async function runCall(tool: Tool, call: CallToRun): Promise<CallToolResult> {
  return presentOutcome(call.from.signal.aborted ? cancelledOutcome : await runAsked(tool, call));
}

async function runAsked(tool: Tool, { args, from, notify, elicitor, clock, log }: CallToRun): Promise<ToolOutcome> {
  const reporter = notify === null ? null : new ProgressReporter({ clock, send: notify });
  const { signal } = from;
  const onAsk = (): void => reporter?.report({ type: 'status', message: 'Waiting for an answer to a question' });
  const questions = new CallQuestions({ clock, elicitor, onAsk }, signal);
  const stop = (): void => reporter?.stop();
  signal.addEventListener('abort', stop, { once: true });
  const progress: ToolContext['progress'] = (news) => reporter?.report(news);
  const context: ToolContext = { ...from, progress, ask: questions.ask };
  try {
    return await runTool(tool, args, context, log);
  } finally {
    signal.removeEventListener('abort', stop);
    questions.end();
    stop();
  }
}

/** An outcome as the result of a call: a block with what Gemini wrote, one with our words, then the others. Never without any. */
function presentOutcome({ answer, text, isError, blocks = [], structured, meta }: ToolOutcome): CallToolResult {
  const said: readonly ContentBlock[] = [
    ...(answer === undefined ? [] : [{ type: 'text', text: answer } as const]),
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...blocks,
  ];
  const content: readonly ContentBlock[] = said.length === 0 ? [{ type: 'text', text }] : said;
  return {
    content: content.map((block) => ({ ...block })),
    ...(isError && { isError: true }),
    ...(structured !== undefined && { structuredContent: { ...structured } }),
    ...(meta !== undefined && { _meta: { ...meta } }),
  };
}

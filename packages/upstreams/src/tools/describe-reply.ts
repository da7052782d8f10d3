import type { AnswerStore, StepRefusal, ToolResult } from '@gemini-mcp/core';
import { escapeControls, escapeName, quoteStrangers, type ServerReply } from '@gemini-mcp/core/internal';
import { toToolResult } from './to-tool-result.ts';
import type { ShelvedTool } from './tool-catalog.ts';

/** What Gemini is told of a reply, and the account of the run in a few words of ours. */
type DescribedReply = {
  readonly result: ToolResult;
  readonly summary: string;
  /** Whether the server may have carried the call out. */
  readonly wasSent: boolean;
};

const maxSaidCharacters = 2_000;

/** Never rejects. */
export async function describeReply(
  reply: ServerReply,
  tool: ShelvedTool,
  keeping: { readonly owner: string; readonly answers: AnswerStore },
  signal: AbortSignal,
): Promise<DescribedReply> {
  const server = escapeName(tool.server.slice(0, 100));
  switch (reply.type) {
    case 'answered':
      return await read(reply.result, tool, keeping, signal);
    case 'error': {
      const said = quoteStrangers(reply.message.slice(0, maxSaidCharacters));
      const text = `Failed: The server ${server} refused the call:\n${said}`;
      const data = { code: 'server-error', message: escapeControls(reply.message.slice(0, maxSaidCharacters)) };
      return { result: { text, data, isDone: true }, summary: 'the server refused it', wasSent: true };
    }
    case 'unreadable':
      return failed('server-error', `There is no answer of the server ${server}. ${reply.detail}`, true);
    case 'kept-back':
      return failed('needs-approval', reply.detail, false);
    case 'unavailable':
      return failed('server-unavailable', `The server ${server} is not there. ${reply.detail}`, reply.wasSent);
    case 'timed-out':
      return failed('timeout', `The server ${server} did not answer in time.`, reply.wasSent);
    case 'cancelled':
      return failed('cancelled', 'The call was cancelled.', reply.wasSent);
  }
}

async function read(
  result: Readonly<Record<string, unknown>>,
  { server, tool, outputSchema }: ShelvedTool,
  keeping: { readonly owner: string; readonly answers: AnswerStore },
  signal: AbortSignal,
): Promise<DescribedReply> {
  try {
    const lent = await toToolResult(result, { server, tool, outputSchema, ...keeping }, signal);
    return { result: lent, summary: result['isError'] === true ? 'failed, says the server' : '', wasSent: true };
  } catch {
    return failed('cancelled', 'The call was cancelled after the server had answered.', true);
  }
}

/** `wasSent`: the server may have carried it out, so no one may count on nothing being changed. */
function failed(code: string, message: string, wasSent: boolean): DescribedReply {
  const note = wasSent ? ' The call may have been carried out all the same.' : '';
  const result = { text: `Failed: ${message}${note}`, data: { code, message }, isDone: wasSent };
  return { result, summary: `${message}${note}`, wasSent };
}

/** A call that was not carried out, as Gemini is told of it: what, why, and what to do. */
export function refusedResult({ code, message, hint, retriable }: StepRefusal): ToolResult {
  const text = hint === '' ? `Refused: ${message}` : `Refused: ${message} ${hint}`;
  return { text, data: { code, message, hint, retriable }, isDone: false };
}

export function refuse(code: StepRefusal['code'], message: string, hint: string = ''): StepRefusal {
  return { code, message, hint, retriable: false };
}

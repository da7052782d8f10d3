import type { AnswerStore, StepRefusal, ToolResult } from '@gemini-mcp/core';
import { escapeControls, escapeName, quoteStrangers, type ServerReply } from '@gemini-mcp/core/internal';
import { toToolResult } from './to-tool-result.ts';
import type { ShelvedTool } from './tool-catalog.ts';

/** A reply as Gemini reads it, and a few words for the report of the run. */
type DescribedReply = {
  readonly result: ToolResult;
  readonly summary: string;
  /** Whether the server may have carried out the call. */
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
      return failed('server-error', `No answer from the server ${server}. ${reply.detail}`, true);
    case 'kept-back':
      return failed('needs-approval', reply.detail, false);
    case 'unavailable':
      return failed('server-unavailable', `The server ${server} is unavailable. ${reply.detail}`, reply.wasSent);
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
    const toolResult = await toToolResult(result, { server, tool, outputSchema, ...keeping }, signal);
    return {
      result: toolResult,
      summary: result['isError'] === true ? 'the server reported an error' : '',
      wasSent: true,
    };
  } catch {
    return failed('cancelled', 'The call was cancelled after the server had answered.', true);
  }
}

/** `wasSent`: the server may have carried out the call, so don't assume that nothing changed. */
function failed(code: string, message: string, wasSent: boolean): DescribedReply {
  const note = wasSent ? ' The call may have been carried out anyway.' : '';
  const result = { text: `Failed: ${message}${note}`, data: { code, message }, isDone: wasSent };
  return { result, summary: `${message}${note}`, wasSent };
}

/** Describes a refused call for Gemini: what, why, and what to do. */
export function refusedToolResult({ code, message, hint, retriable }: StepRefusal): ToolResult {
  const text = hint === '' ? `Refused: ${message}` : `Refused: ${message} ${hint}`;
  return { text, data: { code, message, hint, retriable }, isDone: false };
}

export function refuseToolCall(code: StepRefusal['code'], message: string, hint: string = ''): StepRefusal {
  return { code, message, hint, retriable: false };
}

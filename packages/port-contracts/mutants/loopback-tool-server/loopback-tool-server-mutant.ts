import type { ModelTool, ToolCall, ToolProvider, ToolResult, ToolSession, ToolSessionRequest } from '@gemini-mcp/core';
import { isJsonRecord, type JsonRecord } from '../../src/offline-api/index.ts';
import type { Mutant } from '../prove-mutants.ts';
import type { ToldTools } from './fronted-endpoint.ts';

/** A request as it arrived. */
export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly origin: string | null;
  readonly authorization: string | null;
  readonly body: string;
};

export type EndpointAnswer = { readonly status: number; readonly body: string };

/** Of the run that a request goes to, or of the first. */
type RightOne = { readonly token: string; readonly path: string; readonly host: string };

export type ChangedToolSession = Partial<
  Pick<ToolSession, 'url' | 'token' | 'listed' | 'toolsDigest' | 'goOn' | 'close'>
> & {
  readonly calls?: () => number;
  readonly nextNumber?: () => number;
};

export type LoopbackToolServerMutant = Mutant & {
  readonly source?: (right: ToolProvider, request: ToolSessionRequest) => ToolProvider;
  readonly request?: (right: ToolSessionRequest) => ToolSessionRequest;
  readonly toolSession?: (right: ToolSession, told: ToldTools) => ChangedToolSession;
  /** Changes the request of a program or a stranger. `memory` lives as long as the endpoint. */
  readonly asked?: (asked: Asked, right: RightOne, memory: Map<string, number>) => Asked;
  readonly answered?: (answer: EndpointAnswer, asked: Asked) => EndpointAnswer;
  /** Ignores the abort of its run. */
  readonly deaf?: true;
};

export function listing(
  change: (tools: readonly ModelTool[]) => readonly ModelTool[],
): NonNullable<LoopbackToolServerMutant['source']> {
  return (right) => ({
    list: async (signal) => change(await right.list(signal)),
    call: (call, signal) => right.call(call, signal),
  });
}

export function calling(
  change: (args: ToolCall['arguments']) => ToolCall['arguments'],
): NonNullable<LoopbackToolServerMutant['source']> {
  return (right) => ({
    list: (signal) => right.list(signal),
    call: (call, signal) => right.call({ ...call, arguments: change(call.arguments) }, signal),
  });
}

export function resulting(change: (result: ToolResult) => ToolResult): NonNullable<LoopbackToolServerMutant['source']> {
  return (right) => ({
    list: (signal) => right.list(signal),
    call: async (call, signal) => change(await right.call(call, signal)),
  });
}

/** Changes a JSON-RPC message; anything else stays as it is. */
export function changeMessage(body: string, change: (message: JsonRecord) => JsonRecord): string {
  const message: unknown = body === '' ? null : JSON.parse(body);
  return isJsonRecord(message) ? JSON.stringify(change(message)) : body;
}

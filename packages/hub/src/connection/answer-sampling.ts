import type { ConversationTurn } from '@gemini-mcp/core';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CreateMessageRequest, CreateMessageResult } from '@modelcontextprotocol/sdk/types.js';
import type { Sdk } from './load-sdk.ts';
import type { AnswerSampling, ServerRequestOptions } from './server-requests.ts';

type SamplingOptions = Pick<ServerRequestOptions, 'onQuestion'> & { readonly sampling: AnswerSampling };

/** Has a client answer questions of its server to a model: of text alone, and one at a time. */
export function answerSampling(client: Client, types: Sdk['types'], { sampling, onQuestion }: SamplingOptions): void {
  let isAsking = false;
  client.setRequestHandler(types.CreateMessageRequestSchema, async ({ params }, { signal }) => {
    const turns = turnsOf(params);
    if (turns === null || isAsking) {
      const reason = isAsking ? 'One question at a time is answered.' : 'Only text is taken, and no tools.';
      throw new types.McpError(types.ErrorCode.InvalidParams, reason);
    }
    isAsking = true;
    onQuestion(true);
    try {
      const answer = await sampling({ systemPrompt: params.systemPrompt ?? null, turns }, signal);
      if (answer.type === 'refused') {
        throw new types.McpError(types.ErrorCode.InvalidRequest, answer.message);
      }
      return resultOf(answer.text, answer.model);
    } finally {
      isAsking = false;
      onQuestion(false);
    }
  });
}

/** Null for anything but text. */
function turnsOf({ messages, tools }: CreateMessageRequest['params']): readonly ConversationTurn[] | null {
  if (tools !== undefined) {
    return null;
  }
  const turns = messages.map(({ role, content }): ConversationTurn | null => {
    const blocks = [content].flat();
    const texts = blocks.map((block) => (block.type === 'text' ? block.text : null));
    return texts.includes(null) ? null : { role: role === 'user' ? 'user' : 'model', text: texts.join('\n') };
  });
  const known = turns.filter((turn) => turn !== null);
  return known.length === turns.length ? known : null;
}

function resultOf(text: string, model: string): CreateMessageResult {
  return { role: 'assistant', content: { type: 'text', text }, model, stopReason: 'endTurn' };
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestExtra } from '@gemini-mcp/mcp/internal';
import {
  type CallToolResult,
  CreateMessageResultSchema,
  ElicitResultSchema,
  type Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js';
import { elicitedSchemas } from './fixture-elicitations.ts';

export type FixtureTool = {
  readonly inputSchema: ListedTool['inputSchema'];
  readonly call: (args: Readonly<Record<string, unknown>>, extra: RequestExtra) => Promise<CallToolResult>;
};

const noArguments: ListedTool['inputSchema'] = { type: 'object', properties: {} };

/** The suite's tools that ours cannot express: those that elicit from the client, and one that sends it log messages. */
export const fixtureTools: Readonly<Record<string, FixtureTool>> = {
  test_tool_with_logging: { inputSchema: noArguments, call: (_args, extra) => logThrice(extra) },
  test_sampling: {
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    call: ({ prompt }, extra) => sample(String(prompt), extra),
  },
  ...Object.fromEntries(Object.keys(elicitedSchemas).map((name) => [name, eliciting(name)])),
};

async function logThrice({ sendNotification }: RequestExtra): Promise<CallToolResult> {
  for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await sendNotification({ method: 'notifications/message', params: { level: 'info', data } });
    await sleep(50);
  }
  return { content: [{ type: 'text', text: 'Three messages were logged.' }] };
}

async function sample(prompt: string, { sendRequest }: RequestExtra): Promise<CallToolResult> {
  const { content } = await sendRequest(
    {
      method: 'sampling/createMessage',
      params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens: 100 },
    },
    CreateMessageResultSchema,
  );
  const text = content.type === 'text' ? content.text : content.type;
  return { content: [{ type: 'text', text: `LLM response: ${text}` }] };
}

function eliciting(name: string): FixtureTool {
  const requestedSchema = elicitedSchemas[name] ?? { type: 'object', properties: {} };
  return {
    inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
    call: async ({ message = 'Please answer' }, { sendRequest }) => {
      const { action, content } = await sendRequest(
        { method: 'elicitation/create', params: { message: String(message), requestedSchema } },
        ElicitResultSchema,
      );
      const text = `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
      return { content: [{ type: 'text', text }] };
    },
  };
}

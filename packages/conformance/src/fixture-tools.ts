import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestExtra } from '@gemini-mcp/mcp/internal';
import {
  type CallToolResult,
  CreateMessageResultSchema,
  ElicitResultSchema,
  type Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js';
import { elicitedSchemas } from './fixture-elicitations.ts';
import { png, wav } from './fixture-media.ts';

export type FixtureTool = {
  readonly inputSchema: ListedTool['inputSchema'];
  readonly call: (args: Readonly<Record<string, unknown>>, extra: RequestExtra) => Promise<CallToolResult>;
};

const noArguments: ListedTool['inputSchema'] = { type: 'object', properties: {} };

const image = { type: 'image', data: png, mimeType: 'image/png' } as const;

/** The suite's tools that ours cannot be: those with contents other than text, and those that ask something of the client. */
export const fixtureTools: Readonly<Record<string, FixtureTool>> = {
  test_image_content: answering([image]),
  test_audio_content: answering([{ type: 'audio', data: wav, mimeType: 'audio/wav' }]),
  test_embedded_resource: answering([
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]),
  test_multiple_content_types: answering([
    { type: 'text', text: 'Multiple content types test:' },
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
  test_tool_with_logging: { inputSchema: noArguments, call: (_args, extra) => logThrice(extra) },
  test_sampling: {
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    call: ({ prompt }, extra) => sample(String(prompt), extra),
  },
  ...Object.fromEntries(Object.keys(elicitedSchemas).map((name) => [name, eliciting(name)])),
  json_schema_2020_12_tool: {
    ...answering([{ type: 'text', text: 'Called' }]),
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
      },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    },
  },
};

function answering(content: CallToolResult['content']): FixtureTool {
  return { inputSchema: noArguments, call: async () => ({ content }) };
}

function embedded(uri: string, mimeType: string, text: string): CallToolResult['content'][number] {
  return { type: 'resource', resource: { uri, mimeType, text } };
}

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

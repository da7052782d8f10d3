import type { Extend, RequestExtra, RequestHandler, RequestHandlers } from '@gemini-mcp/mcp/internal';
import { readText } from '@gemini-mcp/mcp/internal';
import {
  CallToolRequestParamsSchema,
  GetPromptRequestParamsSchema,
  type GetPromptResult,
  type ServerResult,
} from '@modelcontextprotocol/sdk/types.js';
import { png } from './fixture-media.ts';
import { fixtureTools } from './fixture-tools.ts';

const binaryUri = 'test://static-binary';

const describedAs = (name: string): { description: string } => ({
  description: `Fixture ${name} of the conformance suite`,
});

/** Adds to a server the fixtures that the conformance suite requires and ours does not offer. Our server handles everything else. */
export const extendWithFixtures: Extend = (handlers, server) => {
  server.registerCapabilities({ logging: {}, resources: { subscribe: true } });
  const subscribed = new Set<string>();
  return {
    ...handlers,
    'tools/list': adding(handlers, 'tools/list', 'tools', listTools()),
    'tools/call': instead(handlers, 'tools/call', callTool),
    'prompts/list': adding(handlers, 'prompts/list', 'prompts', listPrompts()),
    'prompts/get': instead(handlers, 'prompts/get', getPrompt),
    'resources/list': adding(handlers, 'resources/list', 'resources', [
      { uri: binaryUri, name: 'static-binary', mimeType: 'image/png', ...describedAs(binaryUri) },
    ]),
    'resources/read': instead(handlers, 'resources/read', readBinary),
    'resources/subscribe': async (params) => {
      subscribed.add(readText(params, 'uri', 1_000));
      return {};
    },
    'resources/unsubscribe': async (params) => {
      subscribed.delete(readText(params, 'uri', 1_000));
      return {};
    },
    'logging/setLevel': async () => ({}),
  };
};

/** Answers as the server does, with some more items in the list of this name. */
function adding(handlers: RequestHandlers, method: string, key: string, items: readonly unknown[]): RequestHandler {
  const ours = handlerOf(handlers, method);
  return async (params, extra) => {
    const result: Record<string, unknown> = await ours(params, extra);
    const listed = result[key];
    return { ...result, [key]: [...(Array.isArray(listed) ? listed : []), ...items] };
  };
}

/** Answers requests for fixtures; the server answers the rest. */
function instead(
  handlers: RequestHandlers,
  method: string,
  answer: (params: unknown, extra: RequestExtra) => Promise<ServerResult> | null,
): RequestHandler {
  const ours = handlerOf(handlers, method);
  return (params, extra) => answer(params, extra) ?? ours(params, extra);
}

function handlerOf(handlers: RequestHandlers, method: string): RequestHandler {
  const handler = handlers[method];
  if (handler === undefined) {
    throw new Error(`The server does not answer ${method}`);
  }
  return handler;
}

function listTools(): readonly unknown[] {
  return Object.entries(fixtureTools).map(([name, { inputSchema }]) => ({ name, inputSchema, ...describedAs(name) }));
}

function callTool(params: unknown, extra: RequestExtra): Promise<ServerResult> | null {
  const { name, arguments: args = {} } = CallToolRequestParamsSchema.parse(params);
  return fixtureTools[name]?.call(args, extra) ?? null;
}

function listPrompts(): readonly unknown[] {
  const resourceUri = { name: 'resourceUri', description: 'URI of the resource to embed', required: true };
  return [
    { name: 'test_prompt_with_image', ...describedAs('test_prompt_with_image') },
    {
      name: 'test_prompt_with_embedded_resource',
      ...describedAs('test_prompt_with_embedded_resource'),
      arguments: [resourceUri],
    },
  ];
}

function getPrompt(params: unknown): Promise<GetPromptResult> | null {
  const { name, arguments: { resourceUri: uri = '' } = {} } = GetPromptRequestParamsSchema.parse(params);
  switch (name) {
    case 'test_prompt_with_image':
      return Promise.resolve(
        saying({ type: 'image', data: png, mimeType: 'image/png' }, 'Please analyze the image above.'),
      );
    case 'test_prompt_with_embedded_resource': {
      const resource = { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
      return Promise.resolve(saying({ type: 'resource', resource }, 'Please process the embedded resource above.'));
    }
    default:
      return null;
  }
}

function saying(content: GetPromptResult['messages'][number]['content'], text: string): GetPromptResult {
  return {
    messages: [
      { role: 'user', content },
      { role: 'user', content: { type: 'text', text } },
    ],
  };
}

function readBinary(params: unknown): Promise<ServerResult> | null {
  return readText(params, 'uri', 1_000) === binaryUri
    ? Promise.resolve({ contents: [{ uri: binaryUri, mimeType: 'image/png', blob: png }] })
    : null;
}

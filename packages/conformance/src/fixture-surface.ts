import { setTimeout as sleep } from 'node:timers/promises';
import type {
  ContentBlock,
  Prompt,
  ResourceProvider,
  Surface,
  Tool,
  ToolContext,
  ToolInput,
  ToolOutcome,
} from '@gemini-mcp/mcp';
import * as z from 'zod';
import { png, wav } from './fixture-media.ts';

/** Longer than the throttling of progress, so that each notification is sent on its own. */
const pauseMs = 260;

const jsonSchema202012: ToolInput = {
  jsonSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
    },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  },
};

const image: ContentBlock = { type: 'image', data: png, mimeType: 'image/png' };

/** The fixtures of the conformance suite that our own types can carry. */
export const fixtureSurface: Surface = {
  tools: [
    tool('test_simple_text', async () => ({ text: 'This is a simple text response for testing.', isError: false })),
    tool('test_error_handling', async () => ({
      text: 'This tool intentionally returns an error for testing',
      isError: true,
    })),
    tool('test_tool_with_progress', async ({ progress }) => {
      for (const message of ['Begun', 'Half-way', 'Done']) {
        progress({ type: 'status', message });
        await sleep(pauseMs);
      }
      return { text: 'Three notifications were sent.', isError: false };
    }),
    tool('test_image_content', answering(image)),
    tool('test_audio_content', answering({ type: 'audio', data: wav, mimeType: 'audio/wav' })),
    tool(
      'test_embedded_resource',
      answering(embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')),
    ),
    tool(
      'test_multiple_content_types',
      answering(
        { type: 'text', text: 'Multiple content types test:' },
        image,
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ),
    ),
    {
      ...tool('json_schema_2020_12_tool', async () => ({ text: 'Called', isError: false })),
      input: jsonSchema202012,
    },
  ],
  prompts: [
    prompt({ name: 'test_simple_prompt', arguments: [] }, () => 'This is a simple prompt for testing.'),
    prompt(
      { name: 'test_prompt_with_arguments', arguments: ['arg1', 'arg2'] },
      ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
    ),
  ],
  resources: [createShelf()],
};

function answering(...blocks: readonly ContentBlock[]): () => Promise<ToolOutcome> {
  return async () => ({ text: '', blocks, isError: false });
}

function embedded(uri: string, mimeType: string, text: string): ContentBlock {
  return { type: 'resource', resource: { uri, mimeType, text } };
}

function tool(name: string, run: (context: ToolContext) => Promise<ToolOutcome>): Tool {
  return {
    name,
    title: name,
    description: `Fixture ${name} of the conformance suite`,
    input: z.strictObject({}),
    uriSchemes: ['test'],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: (_args, context) => run(context),
  };
}

function prompt(
  { name, arguments: names }: { readonly name: string; readonly arguments: readonly string[] },
  textOf: (args: Readonly<Record<string, string>>) => string,
): Prompt {
  return {
    name,
    title: name,
    description: `Fixture ${name} of the conformance suite`,
    arguments: names.map((argument) => ({
      name: argument,
      description: `Fixture argument ${argument}`,
      required: true,
      complete: async (value) => ['paris', 'park', 'party'].filter((word) => word.startsWith(value)),
    })),
    get: async (args) => ({ messages: [{ role: 'user', text: textOf(args) }] }),
  };
}

function createShelf(): ResourceProvider {
  const texts: Readonly<Record<string, string>> = {
    'test://static-text': 'This is the content of the static text resource.',
    'test://watched-resource': 'Watched',
  };
  const described = { description: 'Fixture of the conformance suite', mimeType: 'text/plain' } as const;
  return {
    templates: [
      { ...described, uriTemplate: 'test://template/{id}/data', name: 'template', title: 'Template', complete: {} },
    ],
    list: async () => Object.keys(texts).map((uri) => ({ ...described, uri, name: uri, title: uri })),
    read: async (uri) => {
      const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
      if (id !== undefined) {
        const data = { id, templateTest: true, data: `Data for ID: ${id}` };
        return { mimeType: 'application/json', text: JSON.stringify(data) };
      }
      const text = Object.hasOwn(texts, uri) ? texts[uri] : undefined;
      return text === undefined ? null : { mimeType: described.mimeType, text };
    },
  };
}

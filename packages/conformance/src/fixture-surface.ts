import { setTimeout as sleep } from 'node:timers/promises';
import type { Prompt, ResourceShelf, Surface, Tool, ToolContext, ToolOutcome } from '@gemini-mcp/mcp';
import * as z from 'zod';

/** More than what progress is held back for, so that each piece of news is sent on its own. */
const pauseMs = 260;

/** What of the conformance suite's fixtures our own types can carry. */
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

function tool(name: string, run: (context: ToolContext) => Promise<ToolOutcome>): Tool {
  return {
    name,
    title: name,
    description: `Fixture ${name} of the conformance suite`,
    input: z.strictObject({}),
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

function createShelf(): ResourceShelf {
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

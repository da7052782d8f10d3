import * as z from 'zod';
import type { Prompt } from '../surface/prompt.ts';
import type { ResourceProvider } from '../surface/resource-provider.ts';
import type { Tool } from '../surface/tool.ts';

/** A tool that answers with its own name, unless it is to do something else. */
export function toolNamed(name: string, run: Tool['run'] = async () => ({ text: name, isError: false })): Tool {
  return {
    name,
    title: name,
    description: name,
    input: z.strictObject({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run,
  };
}

/** A prompt that says its own name. */
export function promptNamed(name: string): Prompt {
  const messages = [{ role: 'user', text: name }] as const;
  return { name, title: name, description: name, arguments: [], get: async () => ({ messages }) };
}

/** A shelf with one resource and one template. */
export function shelfNamed(name: string): ResourceProvider {
  const entry = { name, title: name, description: name, mimeType: 'text/plain' };
  return {
    templates: [{ ...entry, uriTemplate: `test://${name}/{id}`, complete: {} }],
    list: async () => [{ ...entry, uri: `test://${name}` }],
    read: async () => null,
  };
}

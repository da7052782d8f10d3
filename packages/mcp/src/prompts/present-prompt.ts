import type { Prompt as ListedPrompt } from '@modelcontextprotocol/sdk/types.js';
import type { Prompt } from './prompt.ts';

/** A prompt as prompts/list shows it. */
export function presentPrompt({ name, title, description, arguments: args }: Prompt): ListedPrompt {
  return {
    name,
    title,
    description,
    ...(args.length > 0 && { arguments: args.map(({ complete: _, ...argument }) => argument) }),
  };
}

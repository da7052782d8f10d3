import { homedir } from 'node:os';
import type { Prompt } from '../surface/prompt.ts';

/** Throws on every request, with an error message that contains a private path. */
export function failingPrompt(): Prompt {
  return {
    name: 'broken',
    title: 'Broken',
    description: 'Broken',
    arguments: [
      { name: 'word', description: 'A word', required: false, complete: () => Promise.reject(new Error(homedir())) },
    ],
    get: () => {
      throw new Error(`in ${homedir()}`);
    },
  };
}

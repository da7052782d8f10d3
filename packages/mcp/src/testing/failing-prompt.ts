import { homedir } from 'node:os';
import type { Prompt } from '../surface/prompt.ts';

/** Throws whatever it is asked for, with something in the message that is nobody's business. */
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

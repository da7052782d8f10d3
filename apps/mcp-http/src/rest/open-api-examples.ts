import type { StreamEvent } from './call-body.ts';

/** Arguments that a reader can send as they are, by the name of the tool. */
export const exampleArguments: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  gemini_query: { prompt: 'What does this program do?', files: ['README.md'], glob_patterns: ['src/**/*.ts'] },
  gemini_context: { directories: ['src'] },
  geminiChat: { prompt: 'Why is the sky blue?' },
  chat: { prompt: 'Let us talk about compilers. What is a basic block?' },
  'chat-delete': { sessionId: '5f0e2c1a-7c1d-4d0e-9a53-0c6f3f6f7a10' },
  'chat-reply': { prompt: 'And what is it good for?', sessionId: '5f0e2c1a-7c1d-4d0e-9a53-0c6f3f6f7a10' },
  googleSearch: { query: 'newest long-term release of Node.js', limit: 3, raw: true },
  gemini_agent: { task: 'Find out why the tests of src/date.ts fail, and propose a fix.', mode: 'plan' },
  gemini_undo: { run: '3f9c2a17d0b84e65' },
  gemini_read: { handle: 'a1b2c3', offset: 40_000 },
  gemini_job: { handle: 'a1b2c3', action: 'wait', timeout: 60 },
};

/** One event of each kind that a stream may have. */
export const exampleEvents: Readonly<Record<StreamEvent['type'], { readonly value: StreamEvent }>> = {
  stdout: { value: { type: 'stdout', content: 'Because air scatters ' } },
  stderr: {
    value: {
      type: 'stderr',
      content: 'gemini-3.1-pro-preview: the model is overloaded. Falling back to gemini-3.8-flash',
    },
  },
  restart: { value: { type: 'restart', content: 'Asking gemini-3.8-flash, attempt 2' } },
  block: { value: { type: 'block', content: '', block: { type: 'text', text: 'A further part.' } } },
  error: {
    value: {
      type: 'error',
      content: 'Gemini gave no answer: no answer in time. Ask for less at once, or choose a faster model.',
      error: {
        code: 'timeout',
        message: 'Gemini gave no answer: no answer in time. Ask for less at once, or choose a faster model.',
        requestId: '0b2f6d1e-3c55-4b1e-8f0e-1d1f3f0a9c77',
      },
    },
  },
  close: { value: { type: 'close', content: 'Process exited with code 0' } },
};

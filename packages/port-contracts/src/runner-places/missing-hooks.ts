import type { RunnerCapabilities } from '@gemini-mcp/core';
import type { GeminiRunnerHarness } from '../gemini-runner/gemini-runner-harness.ts';

/** A hook of the harness, and the capabilities that cannot be tested without it. */
type NeededHook = {
  readonly hook: 'carried' | 'directories' | 'counting' | 'toolSession';
  readonly gives: string;
  readonly neededFor: (capabilities: RunnerCapabilities) => readonly (keyof RunnerCapabilities)[];
};

const neededHooks: readonly NeededHook[] = [
  {
    hook: 'carried',
    gives: 'which says what reached the model with each message',
    neededFor: ({ resume, systemPrompt, mediaTypes, keyOfCall, tools, urls }) => [
      ...(resume ? (['resume'] as const) : []),
      ...(systemPrompt ? (['systemPrompt'] as const) : []),
      ...(mediaTypes.length > 0 ? (['mediaTypes'] as const) : []),
      ...(keyOfCall ? (['keyOfCall'] as const) : []),
      ...(tools.some((access) => access !== 'none') ? (['tools'] as const) : []),
      ...(urls === true ? (['urls'] as const) : []),
    ],
  },
  {
    hook: 'directories',
    gives: 'which names directories that runs may work in',
    neededFor: ({ tools }) => (tools.includes('everything') ? ['tools'] : []),
  },
  {
    hook: 'counting',
    gives: 'which returns the requests to count, and arranges how they end',
    neededFor: ({ tokenCount }) => (tokenCount === true ? ['tokenCount'] : []),
  },
  {
    hook: 'toolSession',
    gives: 'which returns the tools offered to the model, and the results of its calls',
    neededFor: ({ offersTools }) => (offersTools === true ? ['offersTools'] : []),
  },
];

/** The hooks that a harness lacks for its runner's capabilities: a sentence for each, with the method to add. */
export function missingHooks({ runner, ...hooks }: GeminiRunnerHarness): readonly string[] {
  return neededHooks.flatMap(({ hook, gives, neededFor }) => {
    const declared = neededFor(runner.capabilities);
    return hooks[hook] !== undefined || declared.length === 0
      ? []
      : [`The runner declares ${declared.join(', ')}: add the hook \`${hook}\` to its harness, ${gives}.`];
  });
}

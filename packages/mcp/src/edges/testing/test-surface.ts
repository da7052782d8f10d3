import * as z from 'zod';
import type { Surface } from '../../surface/surface.ts';
import type { Tool, ToolContext, ToolOutcome } from '../../surface/tool.ts';

/** What tests see of a call of `hang`. */
type HangingCall = {
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly finish: () => void;
};

export type TestSurface = {
  readonly surface: Surface;
  /** Calls of `hang`, in the order in which they began. */
  readonly hanging: readonly HangingCall[];
  /** Resolves when so many calls of `hang` have begun. */
  readonly begun: (count: number) => Promise<void>;
};

/** Tools that echo at once, hang until they are told or aborted, and tell of progress on the way. */
export function createTestSurface(): TestSurface {
  const hanging: HangingCall[] = [];
  let noteBegun: () => void = () => undefined;
  const hang = toolNamed('hang', (_word, { owner, signal }) => {
    return new Promise((resolve) => {
      const finish = (): void => resolve({ text: 'finished', isError: false });
      // An aborted tool takes its time, as a process does.
      signal.addEventListener('abort', () => setImmediate(finish));
      hanging.push({ owner, signal, finish });
      noteBegun();
    });
  });
  const echo = toolNamed('echo', async (word, { progress, owner }) => {
    progress({ type: 'status', message: `progress of ${word}` });
    await new Promise(setImmediate);
    return { text: `${word} for ${owner}`, isError: false };
  });
  return {
    surface: { tools: [hang, echo], prompts: [], resources: [] },
    hanging,
    begun: async (count) => {
      while (hanging.length < count) {
        await new Promise<void>((resolve) => {
          noteBegun = resolve;
        });
      }
    },
  };
}

function toolNamed(name: string, run: (word: string, context: ToolContext) => Promise<ToolOutcome>): Tool {
  const input = z.strictObject({ word: z.string().default('') });
  return {
    name,
    title: name,
    description: name,
    input,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: (args, context) => run(input.parse(args).word, context),
  };
}

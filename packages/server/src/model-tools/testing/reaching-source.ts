import type { ModelTool } from '@gemini-mcp/core';
import { ScriptedToolProvider } from '@gemini-mcp/core/testing';
import { modelTool } from './cli-tools-place.ts';

export type ReachingSourceOptions = {
  /** What each call tells. */
  readonly told?: string;
  readonly tools?: readonly ModelTool[];
  /** Null for a source that does not say what it reaches. */
  readonly reach?: string | null;
  /** Happens in the middle of each call, which then never ends by itself. */
  readonly inCall?: () => void;
};

/** A source whose calls reach something that has a name. */
export class ReachingSource extends ScriptedToolProvider {
  readonly cacheKey?: string;

  constructor({ told = 'Seen.', tools = [modelTool('look')], reach = 'the project', inCall }: ReachingSourceOptions) {
    const result = { text: told, data: {}, isDone: true };
    super({
      tools,
      answer: () => {
        inCall?.();
        return inCall === undefined ? result : new Promise(() => undefined);
      },
    });
    if (reach !== null) {
      this.cacheKey = reach;
    }
  }
}

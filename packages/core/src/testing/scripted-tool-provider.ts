import type { ModelTool, ToolCall, ToolProvider, ToolResult } from '../ports/tool-provider.ts';

export type ScriptedToolProviderOptions = {
  readonly tools: readonly ModelTool[];
  /** The result of a call; `Done.` if missing. */
  readonly answer?: (call: ToolCall, signal: AbortSignal) => ToolResult | Promise<ToolResult>;
};

/** Tools whose results a test scripts. */
export class ScriptedToolProvider implements ToolProvider {
  readonly #options: ScriptedToolProviderOptions;
  readonly #calls: ToolCall[] = [];
  readonly #listeners = new Set<() => void>();
  #tools: readonly ModelTool[];

  constructor(options: ScriptedToolProviderOptions) {
    this.#options = options;
    this.#tools = options.tools;
  }

  /** Every call so far, in order. */
  get calls(): readonly ToolCall[] {
    return this.#calls;
  }

  async list(signal: AbortSignal): Promise<readonly ModelTool[]> {
    signal.throwIfAborted();
    return this.#tools;
  }

  async call(call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
    this.#calls.push(call);
    const { answer = (): ToolResult => ({ text: 'Done.', data: {}, isDone: true }) } = this.#options;
    if (signal.aborted) {
      return { text: 'Refused: the call was cancelled.', data: { code: 'cancelled' }, isDone: false };
    }
    return this.#tools.some(({ name }) => name === call.name)
      ? await answer(call, signal)
      : { text: 'Refused: there is no such tool.', data: { code: 'not-found' }, isDone: false };
  }

  onChange(listener: () => void): () => void {
    // A function of its own for each call: one listener may listen twice, and stop once.
    const hear = (): void => listener();
    this.#listeners.add(hear);
    return () => {
      this.#listeners.delete(hear);
    };
  }

  /** Replaces the tools, and calls the listeners. */
  changeTo(tools: readonly ModelTool[]): void {
    this.#tools = tools;
    for (const hear of [...this.#listeners]) {
      hear();
    }
  }
}

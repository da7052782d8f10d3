import type { LentCall, LentResult, LentTool, ToolSource } from '../ports/tool-source.ts';

export type ScriptedToolSourceOptions = {
  readonly tools: readonly LentTool[];
  /** What a call of one of the tools comes to; `Done.` when it is missing. */
  readonly answer?: (call: LentCall, signal: AbortSignal) => LentResult | Promise<LentResult>;
};

/** Tools that do what a test tells them to. */
export class ScriptedToolSource implements ToolSource {
  readonly #options: ScriptedToolSourceOptions;
  readonly #calls: LentCall[] = [];
  readonly #listeners = new Set<() => void>();
  #tools: readonly LentTool[];

  constructor(options: ScriptedToolSourceOptions) {
    this.#options = options;
    this.#tools = options.tools;
  }

  /** Every call that came, in order. */
  get calls(): readonly LentCall[] {
    return this.#calls;
  }

  async list(signal: AbortSignal): Promise<readonly LentTool[]> {
    signal.throwIfAborted();
    return this.#tools;
  }

  async call(call: LentCall, signal: AbortSignal): Promise<LentResult> {
    this.#calls.push(call);
    const { answer = (): LentResult => ({ text: 'Done.', data: {}, isDone: true }) } = this.#options;
    if (signal.aborted) {
      return { text: 'Refused: the call was cancelled.', data: { code: 'cancelled' }, isDone: false };
    }
    return this.#tools.some(({ name }) => name === call.name)
      ? await answer(call, signal)
      : { text: 'Refused: there is no such tool.', data: { code: 'not-found' }, isDone: false };
  }

  onChange(listener: () => void): () => void {
    // Each its own: one listener may listen twice, and stop once.
    const hear = (): void => listener();
    this.#listeners.add(hear);
    return () => {
      this.#listeners.delete(hear);
    };
  }

  /** Has other tools from now on, and tells the listeners. */
  changeTo(tools: readonly LentTool[]): void {
    this.#tools = tools;
    for (const hear of [...this.#listeners]) {
      hear();
    }
  }
}

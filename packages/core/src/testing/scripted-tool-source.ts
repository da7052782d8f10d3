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

  constructor(options: ScriptedToolSourceOptions) {
    this.#options = options;
  }

  /** Every call that came, in order. */
  get calls(): readonly LentCall[] {
    return this.#calls;
  }

  async list(signal: AbortSignal): Promise<readonly LentTool[]> {
    signal.throwIfAborted();
    return this.#options.tools;
  }

  async call(call: LentCall, signal: AbortSignal): Promise<LentResult> {
    this.#calls.push(call);
    const { tools, answer = (): LentResult => ({ text: 'Done.', data: {}, isDone: true }) } = this.#options;
    return tools.some(({ name }) => name === call.name)
      ? await answer(call, signal)
      : { text: 'Refused: there is no such tool.', data: { code: 'not-found' }, isDone: false };
  }
}

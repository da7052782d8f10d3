import type { ServerProcesses, ServerProgram, ServerStart } from '@gemini-mcp/core/internal';

/** Starts programs while few enough run, over all owners. */
export class LimitedProcesses implements ServerProcesses {
  readonly #processes: ServerProcesses;
  readonly #max: number;
  #running = 0;

  constructor(processes: ServerProcesses, max: number) {
    this.#processes = processes;
    this.#max = max;
  }

  async start(program: ServerProgram, signal: AbortSignal): Promise<ServerStart> {
    if (this.#running >= this.#max) {
      const detail = `There are ${this.#max} other servers that run already. One that is not used for a while ends by itself.`;
      return { started: false, detail };
    }
    this.#running += 1;
    const start = await this.#processes.start(program, signal);
    if (start.started) {
      void start.process.ended.then(() => this.#giveBack());
    } else {
      this.#giveBack();
    }
    return start;
  }

  #giveBack(): void {
    this.#running -= 1;
  }
}

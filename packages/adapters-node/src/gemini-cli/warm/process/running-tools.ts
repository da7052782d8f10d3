import type { AcpUpdate } from '../protocol/acp-messages.ts';

/** Which sessions of a process have a tool under way. Where the process hangs, one of these is why. */
export class RunningTools {
  readonly #tools = new Map<string, Set<string>>();

  /** A session has been told of. */
  note(sessionId: string, update: AcpUpdate): void {
    if (update.kind !== 'tool-call' && update.kind !== 'tool-call-update') {
      return;
    }
    const tools = this.#tools.get(sessionId) ?? new Set();
    if (update.status === 'completed' || update.status === 'failed') {
      tools.delete(update.toolCallId);
    } else {
      tools.add(update.toolCallId);
    }
    this.#tools.set(sessionId, tools);
  }

  /** A session has nothing to do any more. */
  forget(sessionId: string): void {
    this.#tools.delete(sessionId);
  }

  get sessionIds(): readonly string[] {
    return [...this.#tools].filter(([, tools]) => tools.size > 0).map(([sessionId]) => sessionId);
  }
}

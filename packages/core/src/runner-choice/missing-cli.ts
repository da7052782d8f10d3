import type { Clock } from '../ports/clock.ts';
import { type EndedRun, tellsNothing } from './tells-nothing.ts';

/** Long enough that quick calls share one search, short enough that a CLI that was installed is soon noticed. */
const searchAgainAfterMs = 60_000;

/** Remembers that the Gemini CLI was not found. One for all runners that run it, since they look for the same one. */
export class MissingCli {
  readonly #clock: Clock;
  #missedAtMs: number | null = null;

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  /** Whether the last search found none, however long ago. */
  get isMissing(): boolean {
    return this.#missedAtMs !== null;
  }

  /** Whether the last search found none less than a minute ago: another one is not worth its time. */
  get isSurelyMissing(): boolean {
    return this.#missedAtMs !== null && this.#clock.now() < this.#missedAtMs + searchAgainAfterMs;
  }

  /** Takes note of a run that has ended, of a runner that runs the CLI. */
  record(run: EndedRun): void {
    if (run.end.type === 'failure' && run.end.failure.kind === 'cli-missing') {
      this.#missedAtMs = this.#clock.now();
    } else if (!tellsNothing(run)) {
      this.#missedAtMs = null;
    }
  }
}

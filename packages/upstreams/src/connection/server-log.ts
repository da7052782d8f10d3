import type { Clock } from '@gemini-mcp/core';
import { escapeControls } from '@gemini-mcp/core/internal';

export type ServerLogOptions = {
  readonly clock: Clock;
  /** Writes one line. */
  readonly write: (line: string) => void;
};

const maxLineCharacters = 2_000;
const maxLines = 50;
const perMs = 60_000;

/** Logs a server's messages: length-limited, with control characters visible, and few lines a minute. */
export class ServerLog {
  readonly #options: ServerLogOptions;
  #sinceMs = 0;
  #lines = 0;

  constructor(options: ServerLogOptions) {
    this.#options = options;
  }

  /** `data` is any JSON value from the server. */
  take(level: string, data: unknown): void {
    const now = this.#options.clock.now();
    if (now - this.#sinceMs >= perMs) {
      this.#sinceMs = now;
      this.#lines = 0;
    }
    this.#lines += 1;
    if (this.#lines <= maxLines) {
      const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
      this.#options.write(escapeControls(`${level}: ${text.slice(0, maxLineCharacters)}`));
    } else if (this.#lines === maxLines + 1) {
      this.#options.write(`More than ${maxLines} lines in a minute: the rest of this minute is left out.`);
    }
  }
}

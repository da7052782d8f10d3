import { Console } from 'node:console';

/** stdout belongs to the protocol, so what a dependency prints by `console` goes to the log. */
export function guardStdout(): void {
  globalThis.console = new Console(process.stderr);
}

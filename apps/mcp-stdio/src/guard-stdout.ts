import { Console } from 'node:console';

/** stdout belongs to the protocol: whatever a dependency prints by `console` goes where logs go. */
export function guardStdout(): void {
  globalThis.console = new Console(process.stderr);
}

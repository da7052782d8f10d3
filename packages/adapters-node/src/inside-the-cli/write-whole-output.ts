/**
 * Makes a run wait until what it writes has been taken. Gemini CLI 0.61.0 ends itself as soon as it has written its last
 * event, and what does not fit into the socket between us (some 219 KB) is gone: an answer that came in one large piece, and the
 * event that says it was whole. Runs inside the CLI.
 */
export function writeWholeOutput(): void {
  const stdout: { _handle?: { setBlocking?: (isBlocking: boolean) => void } } = Object(process.stdout);
  stdout._handle?.setBlocking?.(true);
}

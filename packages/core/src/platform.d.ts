/**
 * The only platform types that core may use: the standard abort signal. Everything else (timers, console, Buffer, process) is a port: `lib: es2023`
 * and `types: []` leave it undeclared, so that using it does not compile.
 */
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare var AbortController: { new (): AbortController };

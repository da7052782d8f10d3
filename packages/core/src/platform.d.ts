/**
 * The only platform type that the core may name. Everything else (timers, console, Buffer, process) is a port:
 * `lib: es2023` and `types: []` leave it undeclared, so that using it does not compile.
 */
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
}

import type { Completer } from './completer.ts';

/** Makes what suggests models, in the order in which they would be tried. */
export function createModelCompleter(models: readonly string[]): Completer {
  return (value) => Promise.resolve(models.filter((model) => model.startsWith(value.toLowerCase())));
}

import type { LineRange } from '../ports/context-resolver.ts';

/** Lines as a caller writes them after a path: `10-40`, or `10` for one. */
export function formatLineRange({ first, last }: LineRange): string {
  return first === last ? `${first}` : `${first}-${last}`;
}

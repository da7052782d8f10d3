import type { LineRange } from '../ports/context-resolver.ts';

/** Lines in the notation after a path: `10-40`, or `10` for one line. */
export function formatLineRange({ first, last }: LineRange): string {
  return first === last ? `${first}` : `${first}-${last}`;
}

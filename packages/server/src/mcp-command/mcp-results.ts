import { escapeName, nearestName } from '@gemini-mcp/core/internal';
import type { McpResult } from './mcp-place.ts';

/** It was done: lines for stdout. */
export function done(...lines: readonly string[]): McpResult {
  return { output: joined(lines), note: '', exitCode: 0 };
}

/** It was not done: lines for stderr. */
export function refused(...lines: readonly string[]): McpResult {
  return { output: '', note: joined(lines), exitCode: 1 };
}

/** The same with further lines for stderr, before the others. */
export function noted(result: McpResult, lines: readonly string[]): McpResult {
  return { ...result, note: joined(lines) + result.note };
}

/** Ends a sentence on a name that is not known: with the nearest that is, or else with a hint. */
export function meantBy(name: string, known: readonly string[], hint: string): string {
  const nearest = nearestName(name, known);
  return nearest === null ? hint : `Did you mean ${escapeName(nearest)}?`;
}

/** Why something is not done for a server that each principal has for itself. */
export function whoseServer(name: string): string {
  return `${escapeName(name)} is not shared: each principal has it for itself. --principal <name> says for whom.`;
}

export const seeList = 'mcp list shows those that there are.';

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

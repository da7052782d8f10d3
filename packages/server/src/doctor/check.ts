import { escapeName } from '@gemini-mcp/core/internal';

/** The result of one check. */
export type Check = {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  /** The finding or the fault. */
  readonly found: string;
  /** The remedy; null if no action is needed. */
  readonly fix: string | null;
  /** The path that was checked, for the JSON report. */
  readonly lookedIn?: readonly string[];
};

export const ok = (name: string, found: string): Check => ({ name, status: 'ok', found, fix: null });

/** Calls still work. */
export const warning = (name: string, found: string, fix: string): Check => ({ name, status: 'warn', found, fix });

export const fault = (name: string, found: string, fix: string): Check => ({ name, status: 'fail', found, fix });

export type ChecksToFormat = {
  /** The name of the program. */
  readonly name: string;
  readonly version: string;
  readonly checks: readonly Check[];
};

/** Formats checks for a terminal: one line each, with the remedy below. */
export function formatChecks({ name: program, version, checks }: ChecksToFormat): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, status, found, fix }) => [
    `${status.padEnd(4)}  ${name.padEnd(width)}  ${escapeName(found)}`,
    ...(fix === null ? [] : [`${' '.repeat(width + 8)}-> ${fix}`]),
  ]);
  return [`${program} ${version}`, '', ...lines, '', summaryOf(checks), ''].join('\n');
}

/** Formats checks as JSON for programs. */
export function checksAsJson({ version, checks }: ChecksToFormat): string {
  return `${JSON.stringify({ version, ok: passes(checks), checks }, null, 2)}\n`;
}

/** Whether no check fails. Warnings pass. */
export function passes(checks: readonly Check[]): boolean {
  return checks.every(({ status }) => status !== 'fail');
}

function summaryOf(checks: readonly Check[]): string {
  const failing = checks.filter(({ status }) => status === 'fail').map(({ name }) => name);
  return failing.length === 0 ? 'Ready.' : `Not ready: ${failing.join(', ')}.`;
}

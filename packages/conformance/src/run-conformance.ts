import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import * as z from 'zod';

const require = createRequire(import.meta.url);

export type ConformanceCheck = {
  readonly id: string;
  /** `SUCCESS`, `FAILURE`, `WARNING` (a broken SHOULD), `SKIPPED` or `INFO`. */
  readonly status: string;
  readonly errorMessage?: string | undefined;
};

/** The checks of each scenario of the official suite, by its name, sorted by name. */
export type ConformanceResults = ReadonlyMap<string, readonly ConformanceCheck[]>;

/** A revision of the protocol whose required scenarios the suite names. */
export type Revision = '2025-11-25' | '2026-07-28';

export type ConformanceOptions = {
  /** The address of a Streamable HTTP server. */
  readonly url: string;
  readonly revision: Revision;
};

/** Runs the scenarios that the official conformance suite has for a revision against a server. Rejects when the suite itself fails. */
export async function runConformance(
  { url, revision }: ConformanceOptions,
  signal: AbortSignal,
): Promise<ConformanceResults> {
  const directory = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const suite = require.resolve('@modelcontextprotocol/conformance/dist/index.js');
    const hook = new URL('glob-sync-hook.mjs', import.meta.url).href;
    const args = ['--import', hook, suite, 'server', '--url', url, '--requirements', revision, '-o', directory];
    // It exits with 1 if a check fails, which its results describe better; they do not describe any other failure.
    const { message, all } = await execa(process.execPath, args, { cancelSignal: signal, reject: false, all: true });
    const results = await readResults(directory);
    if (results.size === 0) {
      throw new Error(`The conformance suite wrote no results: ${message ?? all}`);
    }
    return results;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * The problems of these scenarios, by name: checks with failures and warnings but for those left out, or that none succeeded. Empty if
 * all passed.
 */
export function problemsOf(
  results: ConformanceResults,
  scenarios: Iterable<string>,
  leftOut: readonly string[] = [],
): Readonly<Record<string, readonly string[]>> {
  const problems: Record<string, readonly string[]> = {};
  for (const scenario of scenarios) {
    const checks = (results.get(scenario) ?? []).filter(({ id }) => !leftOut.includes(id));
    const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    if (failed.length > 0) {
      problems[scenario] = failed.map(({ id, errorMessage = '' }) => `${id}: ${errorMessage}`);
    } else if (!checks.some(({ status }) => status === 'SUCCESS')) {
      problems[scenario] = ['No check succeeded'];
    }
  }
  return problems;
}

/** Each scenario leaves a directory `server-<name>-<time>`, which is empty if the scenario threw. */
async function readResults(directory: string): Promise<ConformanceResults> {
  const results = new Map<string, readonly ConformanceCheck[]>();
  for (const name of (await readdir(directory)).sort()) {
    const path = join(directory, name, 'checks.json');
    const checks = existsSync(path) ? parseChecks(JSON.parse(await readFile(path, 'utf8'))) : [];
    results.set(name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, ''), checks);
  }
  return results;
}

function parseChecks(value: unknown): readonly ConformanceCheck[] {
  return z.array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() })).parse(value);
}

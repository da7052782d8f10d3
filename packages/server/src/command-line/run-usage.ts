import { readFile } from 'node:fs/promises';
import { FileUsageLedger } from '@gemini-mcp/adapters-node';
import type { UsageLedger } from '@gemini-mcp/core';
import {
  escapeName,
  formatCount,
  type ModelPrice,
  modelPrices,
  readPrices,
  type UsageGroup,
  type UsageRow,
  UsageSummary,
} from '@gemini-mcp/core/internal';
import type { ConfigurationSources } from '../settings/read-configuration.ts';
import { ConfigurationError } from '../settings/setting.ts';
import type { UsageMode } from './parse-command-line.ts';
import type { OperableProgram } from './program.ts';
import type { CommandResult } from './run-command.ts';
import { formatJson } from './run-sessions.ts';

/** A terminal command on the usage of all owners, because the whole state directory belongs to the user of this machine. */
export type UsagePlace = {
  readonly ledger: UsageLedger;
  readonly nowMs: number;
  /** Names of owners. Others appear by the beginning of their id. */
  readonly names: ReadonlyMap<string, string>;
};

/** Opens the recorded usage of a server with these settings. Rejects with a `ConfigurationError` for an invalid setting. */
export async function openUsage(program: OperableProgram, sources: ConfigurationSources): Promise<UsagePlace> {
  const { stateDirectory: directory } = program.readSettings(sources).configuration;
  const names = (await program.ownerNames?.(sources)) ?? new Map<string, string>();
  return { ledger: new FileUsageLedger({ directory, onProblem: () => undefined }), nowMs: Date.now(), names };
}

/** Sums what calls have used, as a table or as JSON. Rejects with `signal.reason` if aborted, and with a `ConfigurationError` for unusable prices. */
export async function runUsage(mode: UsageMode, place: UsagePlace, signal: AbortSignal): Promise<CommandResult> {
  const prices = mode.pricesFile === null ? modelPrices : await readPricesFile(mode.pricesFile);
  const sinceMs = mode.since === null ? startOfMonth(place.nowMs) : startOf(mode.since, place.nowMs);
  const summary = new UsageSummary(mode.by, prices);
  for await (const entries of place.ledger.read(sinceMs, signal)) {
    summary.add(entries);
  }
  const { total } = summary;
  const rows = mode.by === 'principal' ? summary.rows.map((row) => withName(row, place.names)) : summary.rows;
  const since = new Date(sinceMs).toISOString().slice(0, 10);
  if (mode.json) {
    return { output: formatJson({ since, by: mode.by, rows, total }), note: '', exitCode: 0 };
  }
  if (total.calls === 0) {
    return { output: '', note: `No call to Gemini has been recorded since ${since}.\n`, exitCode: 0 };
  }
  return { output: formatTable(mode.by, rows, total), note: noteOn(since, total), exitCode: 0 };
}

/** An operator's own prices. */
async function readPricesFile(path: string): Promise<readonly ModelPrice[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw unusablePrices('the file cannot be read');
  });
  const prices = readPrices(text);
  if (typeof prices === 'string') {
    throw unusablePrices(prices);
  }
  return prices;
}

function unusablePrices(why: string): ConfigurationError {
  const example = '[{"models":["gemini-3.8-flash"],"from":"2027-01-01","input":1.5,"output":7.5}]';
  return new ConfigurationError(`--prices: ${why}. Give a file such as ${example}.`);
}

const dayMs = 86_400_000;

function startOfMonth(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
}

/** The first moment of a day, or of the last so many days including today. */
function startOf(since: NonNullable<UsageMode['since']>, nowMs: number): number {
  return 'day' in since ? Date.parse(since.day) : Math.floor(nowMs / dayMs) * dayMs - (since.days - 1) * dayMs;
}

const columns = ['Calls', 'Failed', 'Input', 'Cached', 'Output', 'Cost'] as const;

function formatTable(by: UsageGroup, rows: readonly UsageRow[], total: UsageRow): string {
  const title = `${by[0]?.toUpperCase()}${by.slice(1)}`;
  const lines = [
    [title, ...columns],
    ...rows.map((row) => [row.name === null ? '(unknown)' : escapeName(row.name), ...figuresOf(row)]),
    ['Total', ...figuresOf(total)],
  ];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('');
}

/** Enough to distinguish owners, which are hashes of 64 characters. */
const shownOwnerCharacters = 12;

function withName(row: UsageRow, names: UsagePlace['names']): UsageRow {
  const owner = row.name ?? '';
  return { ...row, name: names.get(owner) ?? owner.slice(0, shownOwnerCharacters) };
}

function figuresOf({ calls, failed, inputTokens, cachedTokens, outputTokens, cost }: UsageRow): readonly string[] {
  return [...[calls, failed, inputTokens, cachedTokens, outputTokens].map(formatCount), `$${cost.toFixed(2)}`];
}

function noteOn(since: string, { unpricedTokens }: UsageRow): string {
  const unpriced =
    unpricedTokens === 0 ? '' : ` ${formatCount(unpricedTokens)} tokens are of models without a known price.`;
  return `Since ${since}, in UTC. The cost is what the Gemini API charges for tokens: searches, discounts, free tiers and the CLI's own plans are not in it.${unpriced}\n`;
}

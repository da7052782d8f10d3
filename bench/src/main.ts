import { parseArgs } from 'node:util';
import { apiCalls, apiLarge } from './api-calls.ts';
import { apiStreams } from './api-streams.ts';
import { type Benchmark, formatReport, type Row } from './benchmark.ts';
import { coldCall } from './cold-call.ts';
import { httpFirstText } from './http/http-first-text.ts';
import { httpRate } from './http/http-rate.ts';
import { httpNeighbour, upstreamFloods } from './http/neighbours.ts';
import { calledTools } from './model-tool-calls.ts';
import { readDirectory } from './read-directory.ts';
import { sandboxedCommand } from './sandboxed-command.ts';
import { sharedStore } from './shared-store.ts';
import { startUp } from './start-up.ts';
import { upstreamCalls } from './upstreams/upstream-calls.ts';
import { upstreamMemory, upstreamServedLists } from './upstreams/upstream-lists.ts';
import { warmCall } from './warm-call.ts';
import { warmChat } from './warm-chat.ts';
import { Workbench } from './workbench.ts';

const benchmarks: readonly Benchmark[] = [
  ...[startUp, readDirectory, apiCalls, apiLarge, apiStreams, warmCall, warmChat, coldCall],
  ...[httpRate, httpFirstText, httpNeighbour, calledTools, sandboxedCommand, sharedStore],
  ...[upstreamCalls, upstreamServedLists, upstreamMemory, upstreamFloods],
];

const maxRounds = 1_000;
const usageErrorExitCode = 2;
const interruptedExitCode = 130;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  let options: BenchOptions;
  try {
    options = readOptions(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}

Options:
  --rounds N     rounds of each benchmark, 1 to ${maxRounds}
  --only NAME    one benchmark: ${benchmarks.map(({ name }) => name).join(', ')}
`);
    return usageErrorExitCode;
  }
  const workbench = await Workbench.open();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void workbench.close().finally(() => process.exit(interruptedExitCode)));
  }
  try {
    console.log(formatReport(await runAll(workbench, options)));
    return 0;
  } finally {
    await workbench.close();
  }
}

type BenchOptions = {
  /** Undefined leaves each benchmark its own number. */
  readonly rounds: number | undefined;
  readonly chosen: readonly Benchmark[];
};

/** Throws a `TypeError` that says which option is wrong. */
function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: 'string' }, only: { type: 'string' } } });
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && (!Number.isInteger(rounds) || rounds < 1 || rounds > maxRounds)) {
    throw new TypeError(`--rounds: ${JSON.stringify(values.rounds)} is not a whole number from 1 to ${maxRounds}`);
  }
  const chosen = benchmarks.filter(({ name }) => values.only === undefined || values.only === name);
  if (chosen.length === 0) {
    throw new TypeError(`--only: unknown benchmark ${JSON.stringify(values.only)}`);
  }
  return { rounds, chosen };
}

async function runAll(workbench: Workbench, { rounds, chosen }: BenchOptions): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { name, defaultRounds, run } of chosen) {
    console.error(`${name}: ${rounds ?? defaultRounds} rounds`);
    rows.push(...(await run(workbench, rounds ?? defaultRounds)));
  }
  return rows;
}

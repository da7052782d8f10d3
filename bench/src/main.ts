import { apiCalls, apiLarge } from './api/api-calls.ts';
import { apiClosing } from './api/api-closing.ts';
import { apiStreams } from './api/api-streams.ts';
import { type BenchOptions, readBenchOptions, usage } from './bench-options.ts';
import type { Benchmark, Comparison } from './benchmark.ts';
import { burst } from './burst.ts';
import { callPhases } from './call-phases.ts';
import { chatTurn } from './chat-turn.ts';
import { contextReading } from './context-reading.ts';
import { embeddingScript } from './embedding-script.ts';
import { formatReport } from './format-report.ts';
import { httpFirstText } from './http/http-first-text.ts';
import { httpIdle } from './http/http-idle.ts';
import { httpNeighbour } from './http/http-neighbour.ts';
import { httpRate } from './http/http-rate.ts';
import { hubCalls } from './hub/hub-calls.ts';
import { hubFloods } from './hub/hub-floods.ts';
import { hubLists } from './hub/hub-lists.ts';
import { hubMemory } from './hub/hub-memory.ts';
import { hubNeighbours } from './hub/hub-neighbours.ts';
import { hubSchemas } from './hub/hub-schemas.ts';
import { hubServedLists } from './hub/hub-served-lists.ts';
import { hubStart } from './hub/hub-start.ts';
import { largeContext } from './large-context.ts';
import { toolCalls } from './lending/tool-calls.ts';
import { loopDelay } from './loop-delay.ts';
import { ownShare } from './own-share.ts';
import { sandboxedCommand } from './sandboxed-command.ts';
import { searchFiles } from './search-files.ts';
import { serverMemory } from './server-memory.ts';
import { startUp } from './start-up.ts';
import { steadyUse } from './steady-use.ts';
import { warmCall } from './warm-call.ts';
import { warmChat } from './warm-chat.ts';
import { wholeCall } from './whole-call.ts';
import { Workbench } from './workbench.ts';

const benchmarks: readonly Benchmark[] = [
  startUp,
  contextReading,
  searchFiles,
  loopDelay,
  apiCalls,
  apiLarge,
  apiStreams,
  apiClosing,
  warmCall,
  ownShare,
  warmChat,
  largeContext,
  burst,
  steadyUse,
  wholeCall,
  chatTurn,
  embeddingScript,
  callPhases,
  serverMemory,
  httpRate,
  httpIdle,
  httpFirstText,
  httpNeighbour,
  toolCalls,
  sandboxedCommand,
  hubCalls,
  hubFloods,
  hubLists,
  hubNeighbours,
  hubServedLists,
  hubMemory,
  hubSchemas,
  hubStart,
];

const usageErrorExitCode = 2;
const interruptedExitCode = 130;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  let options: BenchOptions;
  try {
    options = readBenchOptions(args, benchmarks);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage(benchmarks)}`);
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

async function runAll(workbench: Workbench, { rounds, only }: BenchOptions): Promise<readonly Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const { name, defaultRounds, run } of benchmarks) {
    if (only === null || only === name) {
      console.error(`${name}: ${rounds ?? defaultRounds} rounds`);
      comparisons.push(...(await run(workbench, rounds ?? defaultRounds)));
    }
  }
  return comparisons;
}

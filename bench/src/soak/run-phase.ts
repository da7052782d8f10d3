import type { PoolReport } from '@gemini-mcp/adapters-node';
import { type Ending, putQuestion } from './put-question.ts';
import type { SoakPhase } from './soak-phase.ts';
import { type Sample, takeSample } from './take-sample.ts';

export type PhaseResult = {
  readonly name: string;
  readonly calls: number;
  readonly durationMs: number;
  /** How often calls ended in each way. */
  readonly endings: ReadonlyMap<string, number>;
  /** Endings that must never be, each with how often it was. */
  readonly wrong: ReadonlyMap<string, number>;
  readonly reports: readonly PoolReport[];
  /** Before the first call. */
  readonly before: Sample;
  /** One behind each round of calls. */
  readonly samples: readonly Sample[];
  /** Once the runner was closed. */
  readonly after: Sample;
};

const rounds = 100;

/** Makes all calls of a phase in rounds, with a sample behind each, and tidies up. */
export async function runPhase(phase: SoakPhase): Promise<PhaseResult> {
  const { name, calls, runner, reports } = phase;
  const startedAt = performance.now();
  const before = await takeSample(phase);
  const endings: Ending[] = [];
  const samples: Sample[] = [];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      endings.push(...(await runRound(phase, endings.length, Math.floor((calls * round) / rounds))));
      samples.push(await takeSample(phase));
      if (round % 10 === 0) {
        tellProgress(name, endings.length, calls, startedAt);
      }
    }
    await runner.close();
    const after = await takeSample(phase);
    const durationMs = performance.now() - startedAt;
    const wrong = countNames(endings.filter(({ isWrong }) => isWrong));
    return { name, calls, durationMs, endings: countNames(endings), wrong, reports, before, samples, after };
  } finally {
    await runner.close();
    await phase.dispose();
  }
}

/** Calls `from` up to, but not, `to`: so many at once, the next as soon as one has ended. */
async function runRound(phase: SoakPhase, from: number, to: number): Promise<readonly Ending[]> {
  const endings: Ending[] = [];
  let next = from;
  const work = async (): Promise<void> => {
    while (next < to) {
      next += 1;
      endings.push(await putQuestion(phase, next));
    }
  };
  await Promise.all(Array.from({ length: phase.concurrency }, work));
  return endings;
}

function countNames(endings: readonly Ending[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of endings) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function tellProgress(name: string, done: number, calls: number, startedAt: number): void {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.error(`${name}: ${done} of ${calls} calls after ${seconds} s`);
}

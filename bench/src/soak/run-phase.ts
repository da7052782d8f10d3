import { type Ending, putQuestion } from './put-question.ts';
import type { SoakPhase } from './soak-phase.ts';
import { type Sample, takeSample } from './take-sample.ts';

export type PhaseResult = {
  readonly name: string;
  readonly calls: number;
  readonly durationMs: number;
  /** How often calls ended in each way. */
  readonly endings: ReadonlyMap<string, number>;
  /** Endings that must never happen, with their counts. */
  readonly wrong: ReadonlyMap<string, number>;
  readonly reports: ReadonlyMap<string, number>;
  /** Before the first call. */
  readonly before: Sample;
  /** One after each round of calls. */
  readonly samples: readonly Sample[];
  /** Once the runner was closed. */
  readonly after: Sample;
};

const rounds = 100;

/** Makes all calls of a phase in rounds, with a sample after each, and tidies up. */
export async function runPhase(phase: SoakPhase): Promise<PhaseResult> {
  const { name, calls, runner, reports } = phase;
  const startedAt = performance.now();
  const before = await takeSample(phase);
  const endings = new Map<string, number>();
  const wrong = new Map<string, number>();
  const count = ({ name: ending, isWrong }: Ending): void => {
    endings.set(ending, (endings.get(ending) ?? 0) + 1);
    if (isWrong) {
      wrong.set(ending, (wrong.get(ending) ?? 0) + 1);
    }
  };
  let done = 0;
  const samples: Sample[] = [];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const to = Math.floor((calls * round) / rounds);
      await runRound({ phase, from: done, to, count });
      done = to;
      samples.push(await takeSample(phase));
      if (round % 10 === 0) {
        tellProgress(name, done, calls, startedAt);
      }
    }
    await runner.close();
    const after = await takeSample(phase);
    const durationMs = performance.now() - startedAt;
    return { name, calls, durationMs, endings, wrong, reports, before, samples, after };
  } finally {
    await runner.close();
    await phase.dispose();
  }
}

type Round = {
  readonly phase: SoakPhase;
  readonly from: number;
  readonly to: number;
  readonly count: (ending: Ending) => void;
};

/** Calls `from` up to, but not, `to`: so many at once, the next as soon as one has ended. */
async function runRound({ phase, from, to, count }: Round): Promise<void> {
  let next = from;
  const work = async (): Promise<void> => {
    while (next < to) {
      next += 1;
      count(await putQuestion(phase, next));
    }
  };
  await Promise.all(Array.from({ length: phase.concurrency }, work));
}

function tellProgress(name: string, done: number, calls: number, startedAt: number): void {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.error(`${name}: ${done} of ${calls} calls after ${seconds} s`);
}

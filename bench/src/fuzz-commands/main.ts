import { parseArgs } from 'node:util';
import { parseCommand } from '@gemini-mcp/agent-tools';
import { recordInBash } from './bash-recorder.ts';
import { expectedCalls } from './expected-calls.ts';
import { createPickNumber, randomCommand } from './random-source.ts';
import { createSecondGrammar } from './second-grammar.ts';

const batchSize = 20_000;
const shownDifferences = 20;

type Totals = { accepted: number; run: number; differences: string[]; strange: Map<string, string> };

/**
 * Compares our reading of random command lines with Bash's behaviour for the accepted ones, and with tree-sitter's grammar.
 * Exits with code 1 if Bash behaves differently.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { count: { type: 'string' }, seed: { type: 'string' } } });
  const count = Number(values.count ?? 1_000_000);
  const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
  const pick = createPickNumber(seed);
  const judge = await createSecondGrammar();
  const totals: Totals = { accepted: 0, run: 0, differences: [], strange: new Map() };
  for (let done = 0; done < count; done += batchSize) {
    const lines = Array.from({ length: Math.min(batchSize, count - done) }, () => randomCommand(pick));
    await compare(lines, judge, totals);
  }
  const { accepted, run, differences, strange } = totals;
  console.log(`Seed ${seed}: ${count} lines, ${accepted} accepted, ${run} of them run in Bash.`);
  console.log(`False accepts, where Bash did something else: ${differences.length}`);
  console.log(differences.slice(0, shownDifferences).join('\n'));
  console.log(`Kinds of nodes that tree-sitter sees besides: ${strange.size}`);
  for (const [type, line] of strange) {
    console.log(`  ${type}: ${JSON.stringify(line)}`);
  }
  process.exitCode = differences.length === 0 ? 0 : 1;
}

type Expected = { readonly line: string; readonly expected: readonly string[] };

async function compare(
  lines: readonly string[],
  judge: (source: string) => string | null,
  totals: Totals,
): Promise<void> {
  const accepted = lines.flatMap((line) => {
    const reading = parseCommand(line);
    return reading.ok ? [{ line, plan: reading.plan }] : [];
  });
  for (const { line } of accepted) {
    const strange = judge(line);
    if (strange !== null) {
      totals.strange.set(strange, line);
    }
  }
  const toRun = accepted.flatMap(({ line, plan }): readonly Expected[] => {
    const expected = expectedCalls(plan);
    return expected === null ? [] : [{ line, expected }];
  });
  totals.accepted += accepted.length;
  totals.run += toRun.length;
  const recorded = await recordInBash(toRun.map(({ line }) => line));
  totals.differences.push(...toRun.flatMap((each, index) => differenceOf(each, recorded[index] ?? [])));
}

/** Compares without order, because the commands of a pipeline run concurrently. */
function differenceOf({ line, expected }: Expected, calls: readonly string[]): readonly string[] {
  const isSame = calls.toSorted().join('\u0002') === expected.toSorted().join('\u0002');
  return isSame ? [] : [`${JSON.stringify(line)}: read ${JSON.stringify(expected)}, Bash ran ${JSON.stringify(calls)}`];
}

await main();

import { readFileSync } from 'node:fs';
import { beforeEach, describe } from 'vitest';

/** An adapter that breaks one promise. */
export type Mutant = {
  readonly name: string;
  /** What it does wrong, without a subject, for the table. */
  readonly wrong: string;
  /** Never settles: only a deadline catches it. */
  readonly hangs?: true;
};

export type ProveMutantsOptions = {
  /** When a promise that hangs is given up. Default: 300 ms, long enough for work in memory. */
  readonly hangMs?: number;
};

/** For mutants that should not hang, on a busy machine. */
const deadlineMs = 20_000;

/**
 * Registers the suite for the right adapter, which must pass, and for each mutant, which must fail.
 * scripts/count-mutants.mjs reads the titles.
 */
export function proveMutants<Wrong extends Mutant>(
  mutants: readonly Wrong[],
  prove: (about: { readonly name: string; readonly deadlineMs?: number }, mutant: Wrong | null) => void,
  { hangMs = 300 }: ProveMutantsOptions = {},
): void {
  describe('right', () => prove({ name: 'right', deadlineMs }, null));
  for (const mutant of mutants) {
    const { name, wrong, hangs } = mutant;
    describe(`${name}: ${wrong}`, () => {
      skipOnceCaught(recordedTests(mutant));
      prove({ name, deadlineMs: hangs ? hangMs : deadlineMs }, mutant);
    });
  }
}

/** A document of mutants. If it names a test that catches a mutant, only that test is tried. */
const documentPath = process.env['GEMINI_MCP_RECORDED_MUTANTS'];

/** Table cells, which escape some characters. */
const recordedRows = (documentPath === undefined ? '' : readFileSync(documentPath, 'utf8'))
  .split('\n')
  .map(withoutEscapes);

/** The titles of the tests that catch a mutant, from the document; empty without a document or for an unlisted mutant. */
function recordedTests({ name, wrong }: Mutant): readonly string[] {
  const begin = withoutEscapes(`| \`${name}\` | ${wrong} | `);
  return recordedRows.filter((row) => row.startsWith(begin)).map((row) => row.slice(begin.length, -' |'.length));
}

function withoutEscapes(text: string): string {
  return text.replaceAll('\\', '');
}

/** One failed test is proof, and later ones may wait for what the mutant broke. */
function skipOnceCaught(recorded: readonly string[]): void {
  let isCaught = false;
  beforeEach(({ task, skip, onTestFailed }) => {
    skip(recorded.length > 0 && !recorded.includes(withoutEscapes(task.name)), 'another test is recorded');
    skip(isCaught, 'caught already');
    onTestFailed(() => {
      isCaught = true;
    });
  });
}

import { readFileSync } from 'node:fs';
import { beforeEach, describe } from 'vitest';

/** A wrong adapter: the right one, but for one promise. */
export type Mutant = {
  readonly name: string;
  /** What it does, for the table: the subject is left out. */
  readonly wrong: string;
  /** It never settles: only a deadline catches it. */
  readonly hangs?: true;
};

export type ProveMutantsOptions = {
  /** A promise that hangs is given up after this time: 300 ms when it is missing, long enough for work in memory. */
  readonly hangMs?: number;
};

/** For mutants that are not expected to hang, on a busy machine. */
const deadlineMs = 20_000;

/**
 * Registers the suite for the right adapter, which has to pass, and for each mutant, which has to fail. The titles are what
 * scripts/count-mutants.mjs reads.
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

/** A document of mutants: where it names a test that catches a mutant, that one alone is tried. */
const documentPath = process.env['GEMINI_MCP_RECORDED_MUTANTS'];

/** Table cells, which escape some characters. */
const recordedRows = (documentPath === undefined ? '' : readFileSync(documentPath, 'utf8'))
  .split('\n')
  .map(withoutEscapes);

/** The titles of the tests that catch a mutant, as the document says; none without a document, or for a mutant that it lacks. */
function recordedTests({ name, wrong }: Mutant): readonly string[] {
  const begin = withoutEscapes(`| \`${name}\` | ${wrong} | `);
  return recordedRows.filter((row) => row.startsWith(begin)).map((row) => row.slice(begin.length, -' |'.length));
}

function withoutEscapes(text: string): string {
  return text.replaceAll('\\', '');
}

/** The first test that fails is proof enough, and the others may wait for what the mutant has broken. */
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

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
      skipOnceCaught();
      prove({ name, deadlineMs: hangs ? hangMs : deadlineMs }, mutant);
    });
  }
}

/** The first test that fails is proof enough, and the others may wait for what the mutant has broken. */
function skipOnceCaught(): void {
  let isCaught = false;
  beforeEach(({ skip, onTestFailed }) => {
    skip(isCaught, 'caught already');
    onTestFailed(() => {
      isCaught = true;
    });
  });
}

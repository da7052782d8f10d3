import { charactersPerToken } from '../ask-gemini/sent-part.ts';
import type { Clock } from '../ports/clock.ts';
import type { OpenStep, StepLog, StepOutcome, StepToTake, WorkStep } from '../ports/run-step.ts';
import type { CommandReport } from '../ports/workspace/command-steps.ts';
import type { StepRefusal } from '../ports/workspace/step-result.ts';
import type { CalledTool, Counted, RanCommand, RefusedStep, WorkAccount } from './work-account.ts';
import { nextAllowance, type WorkBudget, type WorkSpend } from './work-budget.ts';

export type WorkLogOptions = {
  readonly clock: Clock;
  readonly budget: WorkBudget;
  /** Called when each step has ended, and also when one begins that may take long. Must not throw. */
  readonly onStep?: (step: WorkStep) => void;
  /** Called with each sentence for the account, once. Must not throw. */
  readonly onNote?: (sentence: string) => void;
  /** Called once if the budget is used up and Gemini keeps calling tools. */
  readonly onExhausted?: () => void;
};

/** This often a model is told that its budget is used up, before the run is ended. */
const toldOfBudget = 8;

const maxSubjectCharacters = 200;

/** Records the steps of one run: counts what they use up, reports them, and keeps the data for the run's account in a bounded size. */
export class WorkLog implements StepLog {
  readonly #options: WorkLogOptions;
  readonly #commands = new CappedList<{ -readonly [Key in keyof RanCommand]: RanCommand[Key] }>(100);
  readonly #running = new Map<string, { -readonly [Key in keyof RanCommand]: RanCommand[Key] }>();
  readonly #calls = new CappedList<CalledTool>(100);
  readonly #refusals = new CappedList<RefusedStep>(100);
  readonly #lasting = new CappedList<string>(100);
  readonly #notes = new Set<string>();
  #spend: WorkSpend = { steps: 0, writtenBytes: 0, tokens: 0 };
  /** Everything sent in both directions: each step sends it again. */
  #conversationCharacters = 0;
  #overBudget: string | null = null;
  #told = 0;

  constructor(options: WorkLogOptions) {
    this.#options = options;
  }

  /** Begins a step, or refuses it if the budget does not allow it. */
  begin(step: StepToTake): OpenStep | StepRefusal {
    const { clock, budget, onStep } = this.#options;
    const subject = step.subject.slice(0, maxSubjectCharacters);
    const allowance = nextAllowance(budget, this.#spend, step.writtenBytes);
    const { steps, writtenBytes, tokens } = this.#spend;
    const told = { number: steps + 1, tool: step.tool, subject };
    if (!allowance.allowed) {
      return this.#refuseForBudget(allowance.reason);
    }
    this.#spend = {
      steps: steps + 1,
      writtenBytes: writtenBytes + step.writtenBytes,
      tokens: tokens + Math.ceil(this.#conversationCharacters / charactersPerToken),
    };
    const startedAtMs = clock.now();
    if (step.takesLong) {
      onStep?.({ ...told, outcome: null, durationMs: 0 });
    }
    return {
      end: (outcome) => {
        const durationMs = clock.now() - startedAtMs;
        this.#keep(step, { ...told, durationMs }, outcome);
        onStep?.({ ...told, outcome, durationMs });
      },
    };
  }

  /** Counts characters sent to or written by Gemini. */
  exchanged(characters: number): void {
    this.#conversationCharacters += characters;
  }

  /** Records the state of a command. Reports with the same handle belong to the same command. */
  reported(
    command: string,
    { handle, end, durationMs, notes = [] }: CommandReport,
    polled: string | null = null,
  ): void {
    const known = polled === null ? undefined : this.#running.get(polled);
    const entry = known ?? { command, end, durationMs };
    Object.assign(entry, { end, durationMs });
    if (known === undefined) {
      this.#commands.add(entry);
    }
    if (polled !== null) {
      this.#running.delete(polled);
    }
    for (const sentence of notes) {
      this.note(sentence);
    }
    if (handle !== null && end === null) {
      this.#running.set(handle, entry);
    }
  }

  /** Adds a sentence to the account, once. */
  note(sentence: string): void {
    if (!this.#notes.has(sentence)) {
      this.#notes.add(sentence);
      this.#options.onNote?.(sentence);
    }
  }

  /** Of commands that were still running at their last report. */
  get runningHandles(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** The command with this handle, as Gemini wrote it; null if the handle is unknown. */
  commandOf(handle: string): string | null {
    return this.#running.get(handle)?.command ?? null;
  }

  /** The steps with lasting effects, one line each, in order. Parts are Gemini's own words. */
  get lasting(): readonly string[] {
    const { first, count } = this.#lasting.counted;
    return count > first.length ? [...first, `and ${count - first.length} more steps`] : first;
  }

  get account(): Omit<WorkAccount, 'runId' | 'mode' | 'durationMs' | 'changes' | 'questions'> {
    const { steps, tokens } = this.#spend;
    return {
      steps,
      tokens,
      commands: this.#commands.counted,
      calls: this.#calls.counted,
      refusals: this.#refusals.counted,
      overBudget: this.#overBudget,
      notes: [...this.#notes],
    };
  }

  #keep({ changes, server }: StepToTake, { durationMs, ...told }: EndedStep, outcome: StepOutcome): void {
    if (outcome.type === 'refused') {
      const { code, message } = outcome.refusal;
      this.#refusals.add({ ...told, code, message });
      return;
    }
    if (server !== undefined) {
      this.#calls.add({ ...server, subject: told.subject, summary: outcome.summary, durationMs });
    }
    if (changes) {
      this.#lasting.add(`${told.tool} ${told.subject}${outcome.summary === '' ? '' : `: ${outcome.summary}`}`);
    }
  }

  #refuseForBudget(reason: string): StepRefusal {
    this.#overBudget = reason;
    this.#told += 1;
    if (this.#told === toldOfBudget) {
      this.#options.onExhausted?.();
    }
    const hint = 'Call no more tools. Say in the answer what you did and what remains to do.';
    return { code: 'out-of-budget', message: reason, hint, retriable: false };
  }
}

type EndedStep = Pick<WorkStep, 'number' | 'tool' | 'subject' | 'durationMs'>;

/** Keeps the first entries of a list that may grow without end, and counts all. */
class CappedList<Entry> {
  readonly #max: number;
  readonly #first: Entry[] = [];
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(entry: Entry): void {
    this.#count += 1;
    if (this.#first.length < this.#max) {
      this.#first.push(entry);
    }
  }

  get counted(): Counted<Entry> {
    return { first: [...this.#first], count: this.#count };
  }
}

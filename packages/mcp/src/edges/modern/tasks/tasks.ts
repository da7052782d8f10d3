import type { Clock, JobReport, Jobs } from '@gemini-mcp/core';
import { invalidParams } from '../../../input/request-params.ts';
import type { JsonObject } from '../../../input/tool-input.ts';
import type { ToolOutcome } from '../../../surface/tool.ts';
import { type DescribedTask, describeTask } from './describe-task.ts';

/** A run whose call has returned a task, and which can still ask. */
export type AskingRun = {
  /** The open question as the client gets it, by its id; null without one. */
  readonly inputRequests: JsonObject | null;
  /** Called when a question has been opened or closed. */
  onQuestion: () => void;
  /** Hands an answer to the run. Ignored if its question is not open. */
  reply(questionId: string, answer: unknown): void;
  /** Withdraws the questions of the run. */
  abort(): void;
};

export type TaskPlace = { readonly owner: string; readonly taskId: string };

/** A day, far above the time that any job may take. */
const longestMs = 86_400_000;

/** The jobs of all clients as tasks, with the questions of those that run here. */
export class Tasks {
  readonly #jobs: () => Promise<Jobs<ToolOutcome>>;
  readonly #clock: Clock;
  readonly #runs = new Map<string, AskingRun>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #closing = new AbortController();

  constructor(options: { readonly jobs: () => Promise<Jobs<ToolOutcome>>; readonly clock: Clock }) {
    this.#jobs = options.jobs;
    this.#clock = options.clock;
  }

  /** The result of a call that goes on as this job. From now on its run asks through the task. */
  async create(owner: string, job: JobReport<ToolOutcome>, run: AskingRun): Promise<JsonObject> {
    const jobs = await this.#jobs();
    this.#hold({ owner, taskId: job.handle }, run, jobs);
    return { resultType: 'task', ...describeTask({ job, keptMs: jobs.keptMs, nowMs: this.#clock.now() }) };
  }

  /** Rejects with an `RpcError` for an unknown task and for another owner's, which look the same; so does everything below. */
  async get(place: TaskPlace): Promise<DescribedTask & Pick<AskingRun, 'inputRequests'>> {
    const jobs = await this.#jobs();
    const job = await jobs.report(place.owner, place.taskId);
    if (job === null) {
      throw unknownTask();
    }
    const inputRequests = this.#runs.get(place.taskId)?.inputRequests ?? null;
    return { job, keptMs: jobs.keptMs, nowMs: this.#clock.now(), inputRequests };
  }

  /** Hands the user's answers to the task, by the ids of its questions. Ignores those of no open question. */
  async update(place: TaskPlace, answers: JsonObject): Promise<void> {
    await this.get(place);
    for (const [questionId, answer] of Object.entries(answers)) {
      this.#runs.get(place.taskId)?.reply(questionId, answer);
    }
  }

  /** Asks the job to end, and does not wait for it. */
  async cancel(place: TaskPlace): Promise<void> {
    await this.get(place);
    const jobs = await this.#jobs();
    void jobs.cancel(place.owner, place.taskId);
  }

  /** Resolves when a question of the task has been opened or closed, when its job has ended, or when `signal` is aborted. */
  async changed({ owner, taskId }: TaskPlace, signal: AbortSignal): Promise<void> {
    const leaving = new AbortController();
    const leave = (): void => leaving.abort();
    const listeners = this.#listeners.get(taskId) ?? new Set();
    this.#listeners.set(taskId, listeners.add(leave));
    const ending = AbortSignal.any([signal, this.#closing.signal, leaving.signal]);
    const jobs = await this.#jobs();
    await jobs.wait({ owner, handle: taskId, timeoutMs: longestMs }, ending);
    listeners.delete(leave);
    if (listeners.size === 0) {
      this.#listeners.delete(taskId);
    }
  }

  /** Withdraws the open questions: no client will answer them. */
  close(): void {
    this.#closing.abort();
    for (const run of this.#runs.values()) {
      run.abort();
    }
  }

  /** Keeps the run until its job has ended. */
  #hold({ owner, taskId }: TaskPlace, run: AskingRun, jobs: Jobs<ToolOutcome>): void {
    this.#runs.set(taskId, run);
    run.onQuestion = () => {
      for (const listener of this.#listeners.get(taskId) ?? []) {
        listener();
      }
    };
    const ended = jobs.wait({ owner, handle: taskId, timeoutMs: longestMs }, this.#closing.signal);
    void ended.then(() => {
      this.#runs.delete(taskId);
      run.abort();
    });
  }
}

function unknownTask(): Error {
  return invalidParams('Unknown task: it has expired, ended with an earlier server process, or the taskId is wrong.');
}

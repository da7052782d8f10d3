import { isNumber, isText, nullable, objectOf, oneOf, parseShape, type Shape } from '../json/shape.ts';
import type { RecordKind, RecordStore } from '../ports/record-store.ts';
import { unlessUnreadable } from '../records/unless-unreadable.ts';
import { BackgroundJobs, type BackgroundJobsOptions } from './background-jobs.ts';
import type { JobReport, JobSummary, Jobs, JobToStart, JobToWaitFor } from './jobs.ts';

export type KeptJobsOptions<Result> = Omit<BackgroundJobsOptions<Result>, 'onEnd'> & {
  /** If null, ends are in memory only. */
  readonly records: RecordStore | null;
  /** Whether a stored value is a result, and not that of another version. */
  readonly isResult: (value: unknown) => value is Result;
  /** Called with each job that has ended; must not throw. */
  readonly onEnd?: (ended: JobReport<Result>) => void;
};

type Summary = Omit<JobSummary, 'handle'>;

const isSummary = objectOf<Summary>({
  title: isText,
  startedAtMs: isNumber,
  endedAtMs: nullable(isNumber),
  state: oneOf('running', 'succeeded', 'failed', 'cancelled'),
});

const mebibyte = 1_048_576;

const listedRecords = 32;

/** Jobs that run in this process, and whose ends are records: their owner finds them from any process over the same store, also after a restart. */
export class KeptJobs<Result> implements Jobs<Result> {
  readonly #options: KeptJobsOptions<Result>;
  readonly #jobs: BackgroundJobs<Result>;
  readonly #kind: RecordKind;
  readonly #isBody: Shape<Pick<JobReport<Result>, 'status' | 'partialText' | 'result'>>;
  /** Ends that are being stored. */
  readonly #storing = new Set<Promise<void>>();

  constructor(options: KeptJobsOptions<Result>) {
    this.#options = options;
    this.#jobs = new BackgroundJobs({ ...options, onEnd: (owner, ended) => this.#noteEnd(owner, ended) });
    this.#isBody = objectOf({ status: isText, partialText: isText, result: nullable(options.isResult) });
    this.#kind = {
      name: 'jobs',
      maxBytesOfRecord: 8 * mebibyte,
      maxRecordsOfOwner: options.maxKeptPerOwner ?? listedRecords,
      maxBytesOfOwner: 64 * mebibyte,
      maxBytes: 256 * mebibyte,
      maxAgeMs: this.#jobs.keptMs,
      whenFull: 'remove-oldest',
    };
  }

  /** As in `BackgroundJobs`; 0 if nothing is stored. */
  get lasting(): number {
    return this.#options.records === null ? 0 : this.#jobs.lasting;
  }

  get keptMs(): number {
    return this.#jobs.keptMs;
  }

  start(job: JobToStart<Result>): JobReport<Result> | null {
    return this.#jobs.start(job);
  }

  async report(owner: string, handle: string): Promise<JobReport<Result> | null> {
    return this.#jobs.report(owner, handle) ?? (await this.#load(owner, handle));
  }

  async list(owner: string): Promise<readonly JobSummary[]> {
    const here = this.#jobs.list(owner);
    const stored = (await this.#listStored(owner)).filter(({ handle }) => !here.some((job) => job.handle === handle));
    return [...here, ...stored].sort((one, other) => other.startedAtMs - one.startedAtMs);
  }

  async wait(job: JobToWaitFor, signal: AbortSignal): Promise<JobReport<Result> | null> {
    return (await this.#jobs.wait(job, signal)) ?? (await this.#load(job.owner, job.handle));
  }

  async cancel(owner: string, handle: string): Promise<JobReport<Result> | null> {
    return (await this.#jobs.cancel(owner, handle)) ?? (await this.#load(owner, handle));
  }

  /** As in `BackgroundJobs`; then the ends are stored. Without a store no one could read them, so all jobs end. */
  async outliveClients(signal: AbortSignal): Promise<void> {
    await (this.#options.records === null ? this.#jobs.close() : this.#jobs.outliveClients(signal));
    await Promise.all(this.#storing);
  }

  /** As in `BackgroundJobs`; then the ends are stored. */
  async close(): Promise<void> {
    await this.#jobs.close();
    await Promise.all(this.#storing);
  }

  #noteEnd(owner: string, ended: JobReport<Result>): void {
    this.#options.onEnd?.(ended);
    const storing = this.#store(owner, ended).finally(() => this.#storing.delete(storing));
    this.#storing.add(storing);
  }

  async #store(
    owner: string,
    { handle: key, status, partialText, result, updatedAtMs: _, ...ended }: JobReport<Result>,
  ): Promise<void> {
    const { records, onError, clock } = this.#options;
    const summary: Summary = ended;
    const saved = await records?.put(
      {
        ...{ kind: this.#kind, owner, key, expectedVersion: 0, stampMs: ended.endedAtMs ?? clock.now() },
        ...{ summary: JSON.stringify(summary), text: JSON.stringify({ status, partialText, result }) },
      },
      never,
    );
    if (saved?.saved === false) {
      onError(
        new Error(
          `A job is kept in memory only: ${saved.reason === 'conflict' ? 'its handle is taken' : saved.detail}`,
        ),
      );
    }
  }

  async #load(owner: string, handle: string): Promise<JobReport<Result> | null> {
    const { records } = this.#options;
    const place = { kind: this.#kind, owner, key: handle };
    const found = await records?.get(place, never);
    if (found === undefined || found === null || found === 'damaged') {
      return null;
    }
    const [summary, body] = [parseShape(isSummary, found.summary), parseShape(this.#isBody, found.text)];
    if (summary === null || body === null) {
      return null;
    }
    return { handle, ...summary, updatedAtMs: summary.endedAtMs ?? summary.startedAtMs, ...body };
  }

  async #listStored(owner: string): Promise<readonly JobSummary[]> {
    const { records } = this.#options;
    const place = { kind: this.#kind, owner };
    const listed =
      records === null
        ? []
        : await unlessUnreadable([], never, () => records.list(place, this.#kind.maxRecordsOfOwner, never));
    return listed.flatMap(({ key: handle, summary: text }) => {
      const summary = parseShape(isSummary, text);
      return summary === null ? [] : [{ handle, ...summary }];
    });
  }
}

/** Storing and reading take moments. */
const never = new AbortController().signal;

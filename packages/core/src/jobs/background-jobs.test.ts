import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { BackgroundJobs, type BackgroundJobsOptions } from './background-jobs.ts';
import type { JobEnd, JobNews, JobTask } from './jobs.ts';

const startMs = 1_700_000_000_000;
const idle = new AbortController().signal;

/** A task that a test ends, with its reports. */
class Puppet {
  readonly task: JobTask<string>;
  #news: JobNews | undefined;
  #end: (end: JobEnd<string>) => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;
  isAborted = false;

  constructor() {
    this.task = (news, signal) => {
      this.#news = news;
      signal.addEventListener('abort', () => {
        this.isAborted = true;
      });
      return new Promise((resolve, reject) => {
        this.#end = resolve;
        this.#fail = reject;
      });
    };
  }

  get news(): JobNews {
    if (this.#news === undefined) {
      throw new Error('The task has not been started.');
    }
    return this.#news;
  }

  async end(result: string, state: JobEnd<string>['state'] = 'succeeded'): Promise<void> {
    this.#end({ state, result });
    await turn();
  }

  async fail(error: unknown): Promise<void> {
    this.#fail(error);
    await turn();
  }
}

async function turn(): Promise<void> {
  for (let count = 0; count < 5; count += 1) {
    await Promise.resolve();
  }
}

class Scene {
  readonly clock = new FakeClock(startMs);
  readonly errors: unknown[] = [];
  readonly board: BackgroundJobs<string>;
  #handles = 0;

  constructor(known: Partial<BackgroundJobsOptions<string>> = {}) {
    this.board = new BackgroundJobs({
      clock: this.clock,
      createHandle: () => {
        this.#handles += 1;
        return `job${this.#handles}`;
      },
      onError: (error) => this.errors.push(error),
      ...known,
    });
  }

  /** The handle, and what ends the job. */
  start(owner = 'a', title = 'Why?'): Puppet & { readonly handle: string } {
    const puppet = new Puppet();
    const report = this.board.start({ owner, title, task: puppet.task });
    if (report === null) {
      throw new Error('The job was not started.');
    }
    return Object.assign(puppet, { handle: report.handle });
  }

  get handles(): readonly string[] {
    return this.board.list('a').map(({ handle }) => handle);
  }
}

const running = {
  handle: 'job1',
  title: 'Why?',
  state: 'running',
  startedAtMs: startMs,
  endedAtMs: null,
  updatedAtMs: startMs,
  status: '',
  partialText: '',
  result: null,
};

describe('BackgroundJobs', () => {
  it('shows a job from its start to its end', async () => {
    const { board, clock, errors } = new Scene();
    const puppet = new Puppet();
    expect(board.start({ owner: 'a', title: 'Why?', task: puppet.task })).toEqual(running);
    puppet.news.status('Asking pro');
    puppet.news.text('Be');
    await clock.advance(1_000);
    puppet.news.text('cause.');
    const updatedAtMs = startMs + 1_000;
    expect(board.report('a', 'job1')).toEqual({
      ...{ ...running, updatedAtMs, status: 'Asking pro', partialText: 'Because.' },
    });
    await clock.advance(4_000);
    await puppet.end('Because.');
    expect(board.report('a', 'job1')).toEqual({
      ...running,
      state: 'succeeded',
      endedAtMs: startMs + 5_000,
      updatedAtMs: startMs + 5_000,
      status: 'Asking pro',
      partialText: 'Because.',
      result: 'Because.',
    });
    expect(errors).toEqual([]);
  });

  it.each(['succeeded', 'failed', 'cancelled'] as const)(
    'says of a task that %s what it says of itself',
    async (state) => {
      const scene = new Scene();
      await scene.start().end('all there is', state);
      expect(scene.board.report('a', 'job1')).toMatchObject({ state, result: 'all there is' });
    },
  );

  it.each<[string, JobTask<string>]>([
    ['rejects', () => Promise.reject(new Error('broken'))],
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
  ])('takes a task that %s for one that failed, and hands its error on', async (_, task) => {
    const { board, errors } = new Scene();
    board.start({ owner: 'a', title: '', task });
    await turn();
    expect(board.report('a', 'job1')).toMatchObject({ state: 'failed', endedAtMs: startMs, result: null });
    expect(errors).toEqual([new Error('broken')]);
  });

  it('drops the text of an attempt that was given up', () => {
    const scene = new Scene({ maxPartialCharacters: 4 });
    const { news } = scene.start();
    news.text('Half an answer');
    news.restart();
    news.text('Be');
    expect(scene.board.report('a', 'job1')?.partialText).toBe('Be');
  });

  it('hears nothing of what a task says after its end', async () => {
    const scene = new Scene();
    const job = scene.start();
    job.news.text('Because.');
    await job.end('Because.');
    job.news.restart();
    job.news.text('More');
    job.news.status('Late');
    expect(scene.board.report('a', job.handle)).toMatchObject({ partialText: 'Because.', status: '' });
  });

  it.each<[string, readonly string[], string]>([
    ['to the last character', ['abc', 'de'], 'abcde'],
    ['and no more', ['abc', 'def'], 'abcde'],
    ['and nothing that comes after it was cut', ['abcdef', 'g'], 'abcde'],
    ['without half of a character', ['abcd\u{1f600}', 'g'], 'abcd'],
    ['without half of a character that came in two pieces', ['abcd\ud83d', '\ude00'], 'abcd'],
  ])('keeps the beginning of the text %s', (_, pieces, partialText) => {
    const scene = new Scene({ maxPartialCharacters: 5 });
    const { news } = scene.start();
    for (const piece of pieces) {
      news.text(piece);
    }
    expect(scene.board.report('a', 'job1')?.partialText).toBe(partialText);
  });
});

describe('BackgroundJobs waits', () => {
  it('until a job ends', async () => {
    const scene = new Scene();
    const job = scene.start();
    const waiting = scene.board.wait({ owner: 'a', handle: 'job1', timeoutMs: 9_000 }, idle);
    await scene.clock.advance(1_000);
    await job.end('Because.');
    expect(await waiting).toMatchObject({ state: 'succeeded', result: 'Because.' });
    expect(scene.clock.sleeping).toBe(0);
  });

  it('no longer than configured', async () => {
    const scene = new Scene();
    const job = scene.start();
    const waiting = scene.board.wait({ owner: 'a', handle: 'job1', timeoutMs: 9_000 }, idle);
    job.news.text('Be');
    await scene.clock.advance(9_000);
    expect(await waiting).toMatchObject({ state: 'running', partialText: 'Be' });
    expect(scene.clock.sleeping).toBe(0);
  });

  it('until the waiting caller gives up: the job goes on', async () => {
    const scene = new Scene();
    const job = scene.start();
    const cancellation = new AbortController();
    const waiting = scene.board.wait({ owner: 'a', handle: 'job1', timeoutMs: 9_000 }, cancellation.signal);
    cancellation.abort();
    expect(await waiting).toMatchObject({ state: 'running' });
    expect(job.isAborted).toBe(false);
    expect(scene.clock.sleeping).toBe(0);
  });

  it('not at all for a job that has ended', async () => {
    const scene = new Scene();
    await scene.start().end('Because.');
    const waiting = scene.board.wait({ owner: 'a', handle: 'job1', timeoutMs: 9_000 }, idle);
    expect(await waiting).toMatchObject({ state: 'succeeded' });
  });

  it('and returns the end even of a job that is forgotten at once', async () => {
    const scene = new Scene({ maxKeptPerOwner: 0 });
    const job = scene.start();
    const waiting = scene.board.wait({ owner: 'a', handle: 'job1', timeoutMs: 9_000 }, idle);
    await job.end('Because.');
    expect(await waiting).toMatchObject({ result: 'Because.' });
    expect(scene.handles).toEqual([]);
  });
});

describe('BackgroundJobs cancels', () => {
  it('a job, and resolves when it has really ended, with its text so far', async () => {
    const scene = new Scene();
    const job = scene.start();
    job.news.text('Be');
    let isCancelled = false;
    const cancelling = scene.board.cancel('a', 'job1').then((report) => {
      isCancelled = true;
      return report;
    });
    await turn();
    expect([job.isAborted, isCancelled]).toEqual([true, false]);
    await job.end('Be', 'cancelled');
    expect(await cancelling).toMatchObject({ state: 'cancelled', partialText: 'Be', result: 'Be' });
  });

  it('a task that lets the abort escape, without calling that an error', async () => {
    const { board, errors, clock } = new Scene();
    const task: JobTask<string> = async (_, signal) => {
      await clock.sleep(60_000, signal);
      return { state: 'succeeded', result: '' };
    };
    board.start({ owner: 'a', title: '', task });
    expect(await board.cancel('a', 'job1')).toMatchObject({ state: 'cancelled', result: null });
    expect(errors).toEqual([]);
  });

  it('and hands on what went wrong on the way', async () => {
    const scene = new Scene();
    const job = scene.start();
    const cancelling = scene.board.cancel('a', 'job1');
    await job.fail('broken');
    expect(await cancelling).toMatchObject({ state: 'failed', result: null });
    expect(scene.errors).toEqual(['broken']);
  });

  it('nothing that has ended', async () => {
    const scene = new Scene();
    const job = scene.start();
    await job.end('Because.');
    expect(await scene.board.cancel('a', job.handle)).toMatchObject({ state: 'succeeded', result: 'Because.' });
  });
});

describe('BackgroundJobs keeps owners apart', () => {
  it('gives away nothing of a job to anybody else, not even that there is one', async () => {
    const scene = new Scene();
    const job = scene.start('a');
    expect([
      scene.board.report('b', job.handle),
      await scene.board.wait({ owner: 'b', handle: job.handle, timeoutMs: 1 }, idle),
      await scene.board.cancel('b', job.handle),
      scene.board.list('b'),
    ]).toEqual([null, null, null, []]);
    expect(job.isAborted).toBe(false);
  });

  it('knows no handle that never was', async () => {
    const { board } = new Scene();
    expect([
      board.report('a', 'job1'),
      await board.wait({ owner: 'a', handle: '__proto__', timeoutMs: 1 }, idle),
      await board.cancel('__proto__', 'job1'),
    ]).toEqual([null, null, null]);
  });

  it('starts no more for an owner than may run, and lets others be', async () => {
    const scene = new Scene({ maxPerOwner: 2 });
    const first = scene.start('a');
    scene.start('a');
    const refused = new Puppet();
    expect(scene.board.start({ owner: 'a', title: '', task: refused.task })).toBeNull();
    expect(() => refused.news).toThrow();
    scene.start('b');
    await first.end('');
    scene.start('a');
  });
});

describe('BackgroundJobs forgets', () => {
  it('expired jobs, but no running one', async () => {
    const scene = new Scene({ keptMs: 10_000 });
    scene.start();
    await scene.start().end('');
    await scene.clock.advance(9_999);
    expect(scene.handles).toEqual(['job2', 'job1']);
    await scene.clock.advance(1);
    expect(scene.handles).toEqual(['job1']);
    expect(scene.board.report('a', 'job2')).toBeNull();
  });

  it('of too many jobs the first to end', async () => {
    const scene = new Scene({ maxKeptPerOwner: 2 });
    const jobs = [scene.start(), scene.start(), scene.start(), scene.start()];
    for (const index of [2, 0, 1]) {
      await scene.clock.advance(1);
      await jobs[index]?.end('');
    }
    expect(scene.handles).toEqual(['job4', 'job2', 'job1']);
  });

  it('of jobs that ended together the first to start', async () => {
    const scene = new Scene({ maxKeptPerOwner: 1 });
    const jobs = [scene.start(), scene.start()];
    await jobs[1]?.end('');
    await jobs[0]?.end('');
    expect(scene.handles).toEqual(['job2']);
  });

  it('none but the oldest, in whatever order they end', async () => {
    const indices = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7]);
    await fc.assert(
      fc.asyncProperty(indices, async (ending) => {
        const scene = new Scene({ maxKeptPerOwner: 3 });
        const jobs = Array.from({ length: 8 }, () => scene.start());
        for (const index of ending) {
          await scene.clock.advance(1);
          await jobs[index]?.end('');
        }
        const forgotten = new Set(ending.slice(0, -3));
        const known = jobs.filter((_, index) => !forgotten.has(index)).map(({ handle }) => handle);
        expect(scene.handles).toEqual(known.reverse());
      }),
      { numRuns: 50 },
    );
  });
});

describe('BackgroundJobs bounds what the ended jobs of all owners hold', () => {
  const text = 'x'.repeat(100);

  it('SHARE-05: the earliest ended jobs of the largest owner are removed', async () => {
    const scene = new Scene({ maxKeptCharacters: 450 });
    await scene.start('b').end(text);
    for (const owner of ['a', 'a', 'a', 'c']) {
      await scene.clock.advance(1);
      await scene.start(owner).end(text);
    }
    expect(['a', 'b', 'c'].map((owner) => scene.board.list(owner).map(({ handle }) => handle))).toEqual([
      ['job4', 'job3'],
      ['job1'],
      ['job5'],
    ]);
  });

  it('counts the text that had come in addition to the result', async () => {
    const scene = new Scene({ maxKeptCharacters: 450 });
    for (const owner of ['a', 'b']) {
      const job = scene.start(owner);
      job.news.text(text.repeat(2));
      await job.end(text);
    }
    expect(scene.board.list('a')).toEqual([]);
    expect(scene.board.list('b')).toHaveLength(1);
  });

  it('keeps running jobs, and the last ended one, however large it is', async () => {
    const scene = new Scene({ maxKeptCharacters: 450 });
    const running = scene.start('a');
    await scene.start('b').end(text.repeat(50));
    expect(scene.board.report('b', 'job2')).toMatchObject({ state: 'succeeded' });
    await running.end('');
    expect([scene.board.list('a').length, scene.board.list('b').length]).toEqual([1, 0]);
  });

  it('has room again where jobs were forgotten', async () => {
    const scene = new Scene({ maxKeptCharacters: 250, keptMs: 10 });
    await scene.start('a').end(text);
    await scene.start('a').end(text);
    await scene.clock.advance(10);
    await scene.start('b').end(text);
    await scene.start('c').end(text);
    expect([scene.board.list('b').length, scene.board.list('c').length]).toEqual([1, 1]);
  });
});

describe('BackgroundJobs closes', () => {
  it('when all jobs have ended, and starts no more', async () => {
    const scene = new Scene();
    const jobs = [scene.start('a'), scene.start('b')];
    let isClosed = false;
    const closing = scene.board.close().then(() => {
      isClosed = true;
    });
    await jobs[0]?.end('', 'cancelled');
    expect([isClosed, ...jobs.map(({ isAborted }) => isAborted)]).toEqual([false, true, true]);
    await jobs[1]?.end('', 'cancelled');
    await closing;
    expect(scene.board.start({ owner: 'a', title: '', task: new Puppet().task })).toBeNull();
    expect(scene.board.report('a', 'job1')).toMatchObject({ state: 'cancelled' });
  });
});

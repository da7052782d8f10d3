import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReviewMode } from '../command-line/read-review-words.ts';
import type { CommandResult } from '../command-line/run-command.ts';
import { readBaseline } from './read-baseline.ts';
import { presentReview, type ReviewRun, runReview } from './run-review.ts';
import { createReviewScene, rawFinding } from './testing/review-scene.ts';

const signal = new AbortController().signal;

const present = async (run: ReviewRun): Promise<CommandResult> => presentReview(await runReview(run, signal), run);

const reviewWith = (more: Partial<ReviewMode>, ...findings: readonly object[]): Promise<CommandResult> =>
  present(createReviewScene(findings, more).run);

describe('the exit code', () => {
  const unverified = { ...rawFinding, evidence: 'invented();' };

  it.each([
    ['nothing found', {}, [], 0],
    ['a verified finding', {}, [rawFinding], 1],
    ['a finding that is not verified', {}, [unverified], 0],
    ['a finding less severe than asked for', { severity: 'critical', failOn: 'critical' }, [rawFinding], 0],
    ['a finding that is reported and does not count', { failOn: 'critical' }, [rawFinding], 0],
    ['findings that never count', { failOn: 'never' }, [rawFinding], 0],
  ] as const)('of %s', async (_, mode, findings, exitCode) => {
    expect(await reviewWith(mode, ...findings)).toMatchObject({ exitCode });
  });

  it('of a review that could not be is 2, with the reason on stderr', async () => {
    const { run } = createReviewScene([]);
    const elsewhere = { ...run, reviews: { ...run.reviews, place: { directory: '/elsewhere', roots: ['/project'] } } };
    expect(await present(elsewhere)).toEqual({
      output: '',
      note: expect.stringMatching(/^Not reviewed: \/elsewhere is no directory/),
      exitCode: 2,
    });
    const closed = { ...run, reviews: { ...run.reviews, place: { problem: 'No files can be read.' } } };
    expect(await present(closed)).toMatchObject({ note: 'Not reviewed: No files can be read.\n', exitCode: 2 });
  });

  it('of a question that Gemini does not answer is 2, with advice', async () => {
    const { run } = createReviewScene([]);
    const cancelled = new AbortController();
    cancelled.abort();
    const end = presentReview(await runReview(run, cancelled.signal), run);
    expect(end).toMatchObject({
      output: '',
      note: expect.stringMatching(/^Not reviewed: Gemini gave no answer: /),
      exitCode: 2,
    });
  });
});

describe('the formats', () => {
  it('text: what the tool says, and the account apart', async () => {
    const { output, note } = await reviewWith({}, rawFinding);
    expect(output).toMatch(/^1 finding \(1 verified\) in 1 file of /);
    expect(note).toMatch(/Tokens: 100 input \/ 10 output/);
  });

  it('json and sarif: one document on stdout, with fingerprints', async () => {
    const json = JSON.parse((await reviewWith({ format: 'json' }, rawFinding)).output);
    expect(json).toMatchObject({ findings: [{ verified: true, fingerprint: 'a.ts:bug:bad();' }], baseline: [] });
    const sarif = JSON.parse((await reviewWith({ format: 'sarif' }, rawFinding)).output);
    expect(sarif.runs[0].tool.driver.version).toBe('1.2.3');
    expect(sarif.runs[0].results[0].partialFingerprints).toEqual({ 'geminiReview/v2': 'a.ts:bug:bad();' });
  });

  it('github: one command for each finding, which no text of it can end', async () => {
    const hostile = { ...rawFinding, title: '100%\r\n::set-env name=A::b', why: 'a\nb' };
    const { output } = await reviewWith({ format: 'github' }, hostile, { ...rawFinding, path: 'b,c:d.ts' });
    expect(output.split('\n')).toEqual([
      '::error file=a.ts,line=1,endLine=1,title=Gemini%3A high bug::100%25 ::set-env name=A::b%0Aa%0Ab',
      '::error title=Gemini%3A high bug%2C not verified::b,c:d.ts: It is bad.%0AIt fails.',
      '',
    ]);
  });
});

describe('the cost', () => {
  it('is told before the question', async () => {
    const { run, told } = createReviewScene([rawFinding]);
    await runReview(run, signal);
    expect(told).toEqual([
      'Reading the change',
      expect.stringMatching(/^Reviewing 1 file in one question, about \d+ tokens$/),
      'Estimated cost over the Gemini API: up to $0.04',
    ]);
  });

  it('above the cap ends the review without a question', async () => {
    const { run, runner } = createReviewScene([rawFinding], { maxCost: 0.01 });
    expect(await present(run)).toEqual({
      output: '',
      note: 'Not reviewed: The estimated cost of $0.04 is above --max-cost $0.01. Review a smaller change, or raise it.\n',
      exitCode: 2,
    });
    expect(runner.requests).toEqual([]);
  });

  it('of a model without a known price is no cap to keep', async () => {
    const { run, runner } = createReviewScene([rawFinding], { maxCost: 5, model: 'gemini-9' });
    expect(await present(run)).toMatchObject({ note: expect.stringContaining('The price of gemini-9 is unknown.') });
    expect(runner.requests).toEqual([]);
  });
});

describe('a baseline', () => {
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'baseline-'));
    file = join(directory, 'baseline.json');
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it.each(['json', 'sarif'] as const)('of %s hides its findings, and is kept in the next one', async (format) => {
    await writeFile(file, (await reviewWith({ format }, rawFinding)).output);
    const { run } = createReviewScene([rawFinding, { ...rawFinding, category: 'security' }], { format: 'json' });
    const { output, exitCode } = await present({ ...run, known: await readBaseline(file) });
    const next = JSON.parse(output);
    expect(next).toMatchObject({ findings: [], dropped: { known: 1 }, baseline: ['a.ts:bug:bad();'] });
    expect(exitCode).toBe(0);
  });

  it.each([
    ['', 'the file is not JSON'],
    ['{}', 'the file is no result of a review'],
    ['null', 'the file is no result of a review'],
  ])('of %j is refused', async (text, reason) => {
    await writeFile(file, text);
    await expect(readBaseline(file)).rejects.toThrow(`--baseline: ${reason}. Make one: gemini-mcp-server review`);
  });

  it('that is missing is refused', async () => {
    await expect(readBaseline(file)).rejects.toThrow('--baseline: the file cannot be read.');
  });
});

import type { AskFailure } from '../answers/ask-result.ts';
import type { AskGemini } from '../ask-gemini/ask-gemini.ts';
import { type AskRequest, type OnProgress, withoutFiles } from '../ask-gemini/ask-request.ts';
import type { BoundaryOf } from '../context/boundary.ts';
import type { AskForJson } from '../json-answer/ask-for-json.ts';
import type { Clock } from '../ports/clock.ts';
import { plainRunSettings } from '../ports/gemini-runner/run-settings.ts';
import { countOf } from '../text/format-count.ts';
import { checkPoints } from './check-points.ts';
import { comparisonForm, readPoints } from './comparison-form.ts';
import { buildComparisonMessage } from './comparison-prompt.ts';
import type { Comparison, ComparisonResult, Opinion, OpinionsResult } from './opinion.ts';

export type AskOpinionsOptions = {
  readonly clock: Clock;
  readonly askGemini: Pick<AskGemini, 'ask'>;
  readonly askForJson: Pick<AskForJson, 'ask'>;
  readonly boundaryOf: BoundaryOf;
};

/** The comparison keeps a quarter of the time of the call, so that one slow answer does not prevent it, but no more than this. */
const maxComparingMs = 60_000;

/** Asks several models the same question, each without the others' answers, and has Gemini compare what they say. */
export class AskOpinions {
  readonly #options: AskOpinionsOptions;

  constructor(options: AskOpinionsOptions) {
    this.#options = options;
  }

  /**
   * Resolves to `count` opinions and their comparison, within the time of the request. A model that the request names gives all of them; otherwise each
   * begins with another model of the chain. An opinion that fails leaves the others whole, and so does a comparison that fails; if all opinions fail,
   * so does the call. Never rejects because of Gemini. An abort of `signal` ends the running questions as `cancelled`.
   */
  async ask(request: AskRequest, count: number, onProgress: OnProgress, signal: AbortSignal): Promise<OpinionsResult> {
    const deadlineAtMs = this.#options.clock.now() + request.timeoutMs;
    const timeoutMs = request.timeoutMs - Math.min(maxComparingMs, Math.floor(request.timeoutMs / 4));
    const told = withoutText(onProgress);
    onProgress({ type: 'status', text: `Asking for ${countOf(count, 'opinion')}` });
    const ask = async (index: number): Promise<Opinion> => {
      const opinion = { index, count };
      const result = await this.#options.askGemini.ask({ ...request, timeoutMs, opinion }, told, signal);
      told({ type: 'status', text: `Opinion ${index + 1} ${result.ok ? 'has arrived' : 'has failed'}` });
      return { ...result, number: index + 1 };
    };
    const opinions = await Promise.all(Array.from({ length: count }, (_, index) => ask(index)));
    const failed = failureOfAll(opinions);
    if (failed !== null) {
      return { ok: false, failed: { ...failed, timeoutMs: request.timeoutMs } };
    }
    return { ok: true, opinions, compared: await this.#compare(request, { opinions, deadlineAtMs }, told, signal) };
  }

  async #compare(
    request: AskRequest,
    { opinions, deadlineAtMs }: { readonly opinions: readonly Opinion[]; readonly deadlineAtMs: number },
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<ComparisonResult> {
    const answers = new Map(opinions.flatMap((one) => (one.ok ? [[one.number, one.answer.text] as const] : [])));
    if (answers.size < 2) {
      return { ok: false, failed: null };
    }
    const { clock, askForJson, boundaryOf } = this.#options;
    const { owner = '', model, trace, origin, settings = plainRunSettings } = request;
    onProgress({ type: 'status', text: `Comparing ${countOf(answers.size, 'answer')}` });
    const question = {
      ...withoutFiles,
      prompt: buildComparisonMessage({ owner, question: request.prompt, answers, boundaryOf }),
      ...{ owner, model, trace, origin, settings },
      timeoutMs: deadlineAtMs - clock.now(),
    };
    const asked = await askForJson.ask(question, comparisonForm, onProgress, signal);
    return asked.ok ? { ok: true, answer: asked.answer, comparison: comparisonOf(asked.value, answers) } : asked;
  }
}

function comparisonOf(value: unknown, answers: ReadonlyMap<number, string>): Comparison {
  const { points: raw, unusable } = readPoints(value);
  const { points, dropped } = checkPoints(raw, answers);
  return { points, dropped: { ...dropped, unusable } };
}

/** The failure of the first opinion if no other one is an answer, or else null. */
function failureOfAll(opinions: readonly Opinion[]): AskFailure | null {
  const [first] = opinions;
  return first === undefined || first.ok || opinions.some(({ ok }) => ok) ? null : first.failed;
}

/** The texts of several answers would arrive mixed. */
function withoutText(onProgress: OnProgress): OnProgress {
  return (progress) => {
    if (progress.type !== 'text') {
      onProgress(progress);
    }
  };
}

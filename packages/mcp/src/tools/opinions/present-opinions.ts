import {
  type AskAnswer,
  type ComparedPoint,
  type Comparison,
  failureReason,
  formatAccount,
  type Opinion,
  type OpinionsResult,
} from '@gemini-mcp/core';
import {
  addUsage,
  escapeControls,
  escapeName,
  firstPart,
  formatOpinions,
  type ShownOpinion,
  utf8Length,
  whyNotCompared,
} from '@gemini-mcp/core/internal';
import type { JsonObject } from '../../input/tool-input.ts';
import type { ToolOutcome } from '../../surface/tool.ts';
import { cutPart, fitPart, fitText, type LongTexts } from '../fit-result.ts';
import { describeAccountAsData, escapeAnswer } from '../present-answer.ts';
import { presentFailure } from '../present-failure.ts';

/** Below the bound for structured content, with room for notes. */
const maxDataBytes = 35_000;
const maxAccountBytes = 3_000;

/** Several answers and their comparison as the outcome of a tool: as text, and the same as data. */
export async function presentOpinions(result: OpinionsResult, longTexts: LongTexts): Promise<ToolOutcome> {
  if (!result.ok) {
    return presentFailure(result.failed, { ...longTexts, purpose: 'query' });
  }
  const { compared } = result;
  const { failureWords: words } = longTexts;
  const comparisonAccount = compared.ok ? formatAccount(await escapeAnswer(compared.answer), { words }) : '';
  const whole = await Promise.all(tellContextOnce(result.opinions).map((opinion) => tell(opinion, longTexts)));
  const comparison = compared.ok ? shorten(compared.comparison) : null;
  const rest = { ...comparison, comparisonAccount };
  const opinions = await cutAnswers(whole, maxDataBytes - utf8Length(JSON.stringify(rest)), longTexts);
  const text = formatOpinions({ opinions, compared, comparisonAccount, words });
  return {
    text: await fitText(text, longTexts),
    isError: false,
    structured: {
      opinions: opinions.map(({ text: answer, ...opinion }) => ({ ...opinion, answer })),
      comparison,
      ...(!compared.ok && { notCompared: whyNotCompared(compared, words) }),
      ...(comparisonAccount !== '' && { comparisonAccount }),
    },
    meta: describeAccountAsData(accountOfAll(result)),
  };
}

/** The same files went to each model: one list of them is enough. */
function tellContextOnce(opinions: readonly Opinion[]): readonly Opinion[] {
  const told = new Set<string>();
  return opinions.map((opinion) => {
    const context = opinion.ok ? JSON.stringify(opinion.answer.context) : '';
    if (!opinion.ok || !told.has(context)) {
      told.add(context);
      return opinion;
    }
    return { ...opinion, answer: { ...opinion.answer, context: null } };
  });
}

async function tell(opinion: Opinion, longTexts: LongTexts): Promise<ShownOpinion> {
  const { number } = opinion;
  const { failureWords: words } = longTexts;
  if (!opinion.ok) {
    const { failure, attempts } = opinion.failed;
    const model = attempts.at(-1)?.model ?? null;
    const by = model === null ? '' : ` (${escapeName(model)})`;
    return { number, model, text: null, account: `${failureReason(failure, words)}${by}.` };
  }
  const answer = await escapeAnswer(opinion.answer);
  const account = await fitPart(formatAccount(answer, { words }), maxAccountBytes, longTexts);
  return { number, model: escapeName(answer.modelVersion ?? answer.model), text: answer.text, account };
}

/** Cuts the answers to equal shares if they do not fit together. */
async function cutAnswers(
  opinions: readonly ShownOpinion[],
  roomBytes: number,
  longTexts: LongTexts,
): Promise<readonly ShownOpinion[]> {
  if (sizeOf(opinions) <= roomBytes) {
    return opinions;
  }
  const besides = sizeOf(opinions.map((opinion) => ({ ...opinion, text: '' })));
  const share = Math.max(noteBytes, (roomBytes - besides) / opinions.length - noteBytes);
  return Promise.all(
    opinions.map(async (opinion) => {
      const { shown, note } = await cutPart(opinion.text ?? '', bytesWithin(opinion.text ?? '', share), longTexts);
      return note === null ? opinion : { ...opinion, text: shown, account: `${note}\n${opinion.account}` };
    }),
  );
}

const noteBytes = 400;

/** How many bytes of a text take at most this many as JSON. */
function bytesWithin(text: string, jsonBytes: number): number {
  let bytes = Math.floor(jsonBytes);
  while (sizeOf(firstPart(text, bytes).text) > jsonBytes) {
    bytes = Math.floor(bytes * 0.8);
  }
  return bytes;
}

function sizeOf(value: unknown): number {
  return utf8Length(JSON.stringify(value));
}

/** The comparison as data, in at most half of the room: the text has all of it. */
function shorten({ points, dropped }: Comparison): JsonObject {
  const shown = points.map(escapePoint);
  while (sizeOf(shown) > maxDataBytes / 2) {
    shown.pop();
  }
  const ofKind = (kind: ComparedPoint['kind']) =>
    shown.flatMap(({ kind: own, ...point }) => (own === kind ? [point] : []));
  return {
    agreements: ofKind('agreement'),
    onlyOne: ofKind('only-one'),
    contradictions: ofKind('contradiction'),
    dropped,
    ...(shown.length < points.length && { notShown: points.length - shown.length }),
  };
}

function escapePoint({ kind, statement, positions }: ComparedPoint): ComparedPoint {
  return {
    kind,
    statement: escapeControls(statement),
    positions: positions.map(({ answer, says, quote }) => ({
      answer,
      says: escapeControls(says),
      quote: escapeControls(quote),
    })),
  };
}

/** The account of all questions together. */
function accountOfAll({ opinions, compared }: Extract<OpinionsResult, { readonly ok: true }>): AskAnswer {
  const answers = opinions.flatMap((one) => (one.ok ? [one.answer] : []));
  const comparisons = compared.ok ? [compared.answer] : [];
  const failures = [...opinions, compared].flatMap((one) => (one.ok || one.failed === null ? [] : [one.failed]));
  const all = [...answers, ...failures, ...comparisons];
  const [first] = answers;
  return {
    text: '',
    model: first?.model ?? '',
    attempts: all.flatMap(({ attempts }) => attempts),
    usage: addUsage(all.flatMap(({ usage = [] }) => usage)),
    context: first?.context ?? null,
    notices: [...new Set([...answers, ...comparisons].flatMap(({ notices = [] }) => notices))].map(escapeName),
  };
}

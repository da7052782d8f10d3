import type { FileChange, WorkAccount, WorkResult } from '@gemini-mcp/core';
import { escapeName, quoteStrangers, workLines } from '@gemini-mcp/core/internal';
import type { ToolOutcome } from '../tool.ts';
import { fitPart, fitText, type LongTexts } from './fit-result.ts';
import { presentAnswer } from './present-answer.ts';
import { presentFailure } from './present-failure.ts';

/** Of the diff in a result: the rest is read by gemini_read. */
const maxDiffBytes = 10_000;

/** In the namespace of this server, as the protocol asks of names in `_meta`. */
const workKey = 'gemini-mcp-server/work';

/** What came of a run with tools: its answer or its failure, and in either case what it did. */
export async function presentWork(result: WorkResult, longTexts: LongTexts): Promise<ToolOutcome> {
  if (result.type === 'refused') {
    const { message, hint } = result.refusal;
    const text = `Not started: ${escapeName(message)}${hint === '' ? '' : ` ${escapeName(hint)}`}`;
    return { text, isError: true, detail: { type: 'refused', reason: 'not-allowed' } };
  }
  const { account: work } = result;
  const lines = [...workLines(work), ...(await diffLines(work, longTexts))];
  if (result.type === 'failed') {
    const failure = await presentFailure(result.failed, { ...longTexts, purpose: 'query' });
    const text = await fitText([failure.text, '', ...lines].join('\n'), longTexts);
    return { ...failure, text, meta: workMeta(work), detail: { ...failure.detail, work } };
  }
  const answered = await presentAnswer(result.answer, { ...longTexts, extraLines: lines });
  return {
    ...answered,
    meta: { ...answered.meta, ...workMeta(work) },
    detail: { ...answered.detail, work },
  };
}

async function diffLines({ changes, runId }: WorkAccount, longTexts: LongTexts): Promise<readonly string[]> {
  const files = changes?.files ?? [];
  if (files.length === 0) {
    return [];
  }
  const diff = quoteStrangers(files.map(diffOf).join('\n'));
  return ['Diff:', await fitPart(diff, maxDiffBytes, { ...longTexts, title: `diff of run ${runId}` })];
}

function diffOf({ diff }: FileChange): string {
  return diff.replace(/\n$/, '');
}

/** For programs. */
function workMeta({ changes, notes: _, ...work }: WorkAccount): Readonly<Record<string, unknown>> {
  const files = changes?.files.map(({ diff: _diff, ...file }) => file) ?? null;
  return { [workKey]: { ...work, changes: files } };
}

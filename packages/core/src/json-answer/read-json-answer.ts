import type { AskAnswer } from '../answers/ask-result.ts';
import type { AnswerForm } from './answer-form.ts';

export type ReadJsonAnswer =
  | { readonly ok: true /** The JSON as Gemini wrote it. */; readonly json: string; readonly value: unknown }
  | {
      readonly ok: false;
      /** In our own words, one line for each problem. */
      readonly problem: string;
      /** Whether Gemini may do better if asked again. */
      readonly isRepairable: boolean;
    };

/** `JSON.stringify` and other programs recurse through a value, and overflow after a few thousand levels. */
const maxDepth = 500;

/** A line that begins or ends a code block. No line of JSON looks like this: its strings contain no line ends. */
const fenceLine = /^[ \t]*```(?:json)?[ \t]*\r?$/i;

/**
 * Parses an answer that should be JSON in a form: the whole text, or the content of its only code block. A cut answer is refused even if it is valid
 * JSON: the end of a list or a number may be missing.
 */
export function readJsonAnswer({ text, ending }: Pick<AskAnswer, 'text' | 'ending'>, form: AnswerForm): ReadJsonAnswer {
  if (ending?.type === 'output-limit') {
    const problem = 'The answer is cut: Gemini reached the limit of what it writes at once.';
    return { ok: false, problem, isRepairable: false };
  }
  const json = withoutFence(text).trim();
  const parsed = parse(json);
  if (parsed === null) {
    return { ok: false, problem: 'The answer is not JSON.', isRepairable: true };
  }
  const problem = isDeeperThan(maxDepth, parsed.value)
    ? `The answer is nested more than ${maxDepth} levels deep.`
    : form.findProblem(parsed.value);
  return problem === null ? { ok: true, json, value: parsed.value } : { ok: false, problem, isRepairable: true };
}

function isDeeperThan(levels: number, value: unknown): boolean {
  let inside = [value];
  for (let depth = 0; depth <= levels && inside.length > 0; depth += 1) {
    inside = inside.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return inside.length > 0;
}

function withoutFence(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => fenceLine.test(line));
  const last = lines.findLastIndex((line) => fenceLine.test(line));
  return first === last ? text : lines.slice(first + 1, last).join('\n');
}

function parse(json: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return null;
  }
}

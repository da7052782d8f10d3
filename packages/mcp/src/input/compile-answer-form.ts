import type { AnswerForm } from '@gemini-mcp/core';
import { quoteValue } from '../quote-value.ts';
import { describeProblems, type ProblemWords } from './describe-invalid-arguments.ts';
import { compileJsonSchema } from './json-schema/compile-json-schema.ts';
import type { JsonObject } from './tool-input.ts';

export type CompiledForm =
  | { readonly isUsable: true; readonly form: AnswerForm }
  | { readonly isUsable: false /** Said of the schema, such as "is no JSON". */; readonly problem: string };

const answerWords: ProblemWords = { whole: 'the answer', name: 'property' };

/** Those that the validator knows. Of an older one it would misread what has changed since, such as `exclusiveMinimum`. */
const dialect = /^https?:\/\/json-schema\.org\/(?:draft-0[67]|draft\/(?:2019-09|2020-12))\/schema#?$/;

/** Makes the form of an answer out of JSON Schema from a client, of any type. Refuses what is refused of the schema of a tool. */
export async function compileAnswerForm(schema: JsonObject): Promise<CompiledForm> {
  const { $schema } = schema;
  if ($schema !== undefined && !(typeof $schema === 'string' && dialect.test($schema))) {
    const problem = `is of the dialect ${quoteValue(String($schema))}: draft-06, draft-07, 2019-09 and 2020-12 are known`;
    return { isUsable: false, problem };
  }
  const compiled = await compileJsonSchema(schema, 'any');
  if (!compiled.isUsable) {
    return compiled;
  }
  const findProblem = (value: unknown): string | null => {
    const problems = compiled.problemsOf(value);
    return problems.length === 0 ? null : describeProblems(problems, value, answerWords).join('\n');
  };
  return { isUsable: true, form: { schema, findProblem } };
}

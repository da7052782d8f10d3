import type { AnswerForm, RunnerCapabilities, ThinkingLevel } from '@gemini-mcp/core';
import { hostNearness, isWebAddress } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { quoteValue } from '../../content/quote-value.ts';
import { describeProblems, type ProblemWords } from '../../input/describe-invalid-arguments.ts';
import { compileJsonSchema } from '../../input/json-schema/compile-json-schema.ts';
import type { JsonObject } from '../../input/tool-input.ts';
import { deliverableText } from './run-arguments.ts';

const thinkingLevels = ['low', 'medium', 'high'] as const satisfies readonly ThinkingLevel[];

const descriptions = {
  schema: 'JSON Schema of the answer.',
  thinking: 'How much Gemini thinks.',
  search: 'Search the web.',
} as const;

export type AnswerArguments = {
  readonly schema: z.ZodOptional<z.ZodType<JsonObject, JsonObject>>;
  readonly thinking: z.ZodOptional<z.ZodEnum<{ readonly [Level in ThinkingLevel]: Level }>>;
  readonly urls: z.ZodOptional<z.ZodArray<z.ZodString>>;
};

/** Arguments that only some runners support. */
export type RunnerSkills = Partial<Pick<RunnerCapabilities, 'thinking' | 'urls' | 'flexibleTier'>>;

/** The arguments that the server would refuse in every call. They are unlisted, and a call that gives one gets a refusal. */
export function unlistedAnswerArguments({
  thinking = false,
  urls = false,
}: RunnerSkills): readonly (keyof AnswerArguments)[] {
  return [...(thinking ? [] : (['thinking'] as const)), ...(urls ? [] : (['urls'] as const))];
}

/** The form of the answer, and its sources besides files. The tool checks the schema itself when it runs: zod cannot. */
export function answerArguments(): AnswerArguments {
  return {
    schema: z.record(z.string(), z.unknown()).optional().describe(descriptions.schema),
    thinking: z.enum(thinkingLevels).optional().describe(descriptions.thinking),
    urls: pageUrls(),
  };
}

export type WebArguments = {
  readonly search: z.ZodOptional<z.ZodBoolean>;
  readonly urls: AnswerArguments['urls'];
};

/** The web in a conversation: `search` holds for all of it, `urls` for one message. */
export function webArguments(): WebArguments {
  return { search: z.boolean().optional().describe(descriptions.search), urls: pageUrls() };
}

/** The API refuses a request with more addresses. */
const maxUrls = 20;
const maxCharacters = 2_000;

const description = 'Web pages to read.';

/**
 * Web pages that Google reads for an answer. Private addresses are refused: Google cannot reach them, and would only learn their
 * names.
 */
export function pageUrls(): z.ZodOptional<z.ZodArray<z.ZodString>> {
  const address = deliverableText(maxCharacters).check((context) => {
    const problem = problemOf(context.value);
    if (problem !== null) {
      context.issues.push({ code: 'custom', message: problem, input: context.value });
    }
  });
  return z.array(address).max(maxUrls, { abort: true }).optional().describe(description);
}

function problemOf(text: string): string | null {
  if (!isWebAddress(text) || !URL.canParse(text)) {
    return 'must be an http or https address, without spaces';
  }
  const { username, password, hostname } = new URL(text);
  if (username !== '' || password !== '') {
    return 'must have no user name and no password: Google would get them';
  }
  return hostNearness(hostname) === 'public'
    ? null
    : 'must be an address of the public web: Google reads the page, and reaches neither this machine nor its network';
}

export type CompiledForm =
  | { readonly isUsable: true; readonly form: AnswerForm }
  | { readonly isUsable: false /** A predicate on the schema, such as "is not JSON". */; readonly problem: string };

const answerWords: ProblemWords = { whole: 'the answer', name: 'property' };

/** The dialects that the validator knows. It would misread an older one where keywords have changed, such as `exclusiveMinimum`. */
const dialect = /^https?:\/\/json-schema\.org\/(?:draft-0[67]|draft\/(?:2019-09|2020-12))\/schema#?$/;

/** Compiles a client's JSON Schema, of any type, into the form of an answer. Refuses the same as for the schema of a tool. */
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

import * as z from 'zod';
import { describeInvalidArguments } from '../input/describe-invalid-arguments.ts';
import { invalidParams, isJsonObject, readText, requireFirstPage } from '../input/request-params.ts';
import type { JsonObject } from '../input/tool-input.ts';
import { acceptedByZod, readZodProblems } from '../input/zod-problems.ts';
import type { Prompt, PromptText } from '../surface/prompt.ts';
import type { SurfaceContext } from '../surface/surface-context.ts';
import { concealFailure } from './conceal-error.ts';
import type { LoadedSurface, SurfacePrompt } from './loaded-surface.ts';
import type { McpLog } from './mcp-log.ts';
import type { SurfaceRegistry } from './surface-registry.ts';

const maxNameCharacters = 128;
const maxArgumentCharacters = 20_000;

export type PromptHostOptions = {
  readonly surface: SurfaceRegistry;
  readonly log: McpLog;
};

/** Lists the prompts and returns their texts. Rejects with an `RpcError` if a request cannot be answered. */
export class PromptHandlers {
  readonly #surface: SurfaceRegistry;
  readonly #log: McpLog;

  constructor(options: PromptHostOptions) {
    this.#surface = options.surface;
    this.#log = options.log;
  }

  async list(params: unknown): Promise<{ readonly prompts: readonly SurfacePrompt[] }> {
    requireFirstPage(params, 'prompts');
    const { listedPrompts } = await this.#surface.loadFor('prompts');
    return { prompts: listedPrompts };
  }

  async get(params: unknown, context: SurfaceContext): Promise<JsonObject> {
    const name = readText(params, 'name', maxNameCharacters);
    const prompt = findPrompt(await this.#surface.load(), name);
    const args = parseArguments(prompt, isJsonObject(params) ? params['arguments'] : undefined);
    const text = await concealFailure(async () => prompt.get(args, context), {
      event: 'prompt-threw',
      subject: prompt.name,
      log: this.#log,
      signal: context.signal,
    });
    return presentText(text);
  }
}

/** Throws an `RpcError` that names the existing prompts if the name is unknown. */
export function findPrompt({ prompts }: LoadedSurface, name: string): Prompt {
  const prompt = prompts.get(name);
  if (prompt === undefined) {
    throw invalidParams(`Unknown prompt. The prompts are: ${[...prompts.keys()].join(', ')}`);
  }
  return prompt;
}

function parseArguments(prompt: Prompt, args: unknown = {}): Readonly<Record<string, string>> {
  const text = z.string().max(maxArgumentCharacters, { abort: true }).refine(isWellFormed, { error: malformed });
  const schema = z.strictObject(
    Object.fromEntries(prompt.arguments.map(({ name, required }) => [name, required ? text : text.optional()])),
  );
  const given = withoutBlanks(args);
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const problems = readZodProblems(parsed.error, schema, given);
    const wrong = { problems, accepted: acceptedByZod(schema), args: given };
    throw invalidParams(describeInvalidArguments(`the prompt ${prompt.name}`, wrong));
  }
  return Object.fromEntries(Object.entries(parsed.data).filter((entry) => isTextEntry(entry)));
}

/** Drops blank arguments: clients send an empty text for each argument that a person has skipped. */
function withoutBlanks(args: unknown): unknown {
  return isJsonObject(args)
    ? Object.fromEntries(Object.entries(args).filter(([, value]) => typeof value !== 'string' || value.trim() !== ''))
    : args;
}

const malformed = 'must not contain NUL or half of a surrogate pair';

function isWellFormed(text: string): boolean {
  return !/\0|\p{Cs}/u.test(text);
}

function isTextEntry(entry: readonly [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined;
}

function presentText({ description, messages }: PromptText): JsonObject {
  return {
    ...(description !== undefined && { description }),
    messages: messages.map(({ role, ...said }) => ({
      role,
      content: 'block' in said ? { ...said.block } : { type: 'text', text: said.text },
    })),
  };
}

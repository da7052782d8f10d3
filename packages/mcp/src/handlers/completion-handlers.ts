import { invalidParams, isJsonObject, readText } from '../input/request-params.ts';
import type { Completer, Suggestions } from '../surface/prompt.ts';
import type { SurfaceContext } from '../surface/surface-context.ts';
import { concealFailure } from './conceal-error.ts';
import type { LoadedSurface } from './loaded-surface.ts';
import type { McpLog } from './mcp-log.ts';
import { findPrompt } from './prompt-handlers.ts';
import type { SurfaceRegistry } from './surface-registry.ts';

/** The protocol's own limit. */
const maxValues = 100;
const maxCharacters = 1_000;
const maxGiven = 30;
const maxNamed = 30;

/** A client asks at each key pressed. Requests beyond these get no suggestions, so that no queue grows. */
const maxRunning = 16;

type Completion = {
  readonly completion: { readonly values: readonly string[]; readonly total?: number; readonly hasMore: boolean };
};

export type CompletionHostOptions = {
  readonly surface: SurfaceRegistry;
  readonly log: McpLog;
};

/** Suggests values for arguments of prompts and of resource templates. Rejects with an `RpcError` for an unknown argument. */
export class CompletionHandlers {
  readonly #surface: SurfaceRegistry;
  readonly #log: McpLog;
  #running = 0;

  constructor(options: CompletionHostOptions) {
    this.#surface = options.surface;
    this.#log = options.log;
  }

  async complete(params: unknown, context: SurfaceContext): Promise<Completion> {
    const { ref, argument, context: told } = isJsonObject(params) ? params : {};
    const name = readText(argument, 'name', maxCharacters);
    const value = readText(argument, 'value', maxCharacters);
    const { completer, subject } = findCompleter(await this.#surface.loadWithRoots(context.signal), ref, name);
    if (completer === null) {
      return present([]);
    }
    if (this.#running >= maxRunning) {
      return { completion: { values: [], hasMore: true } };
    }
    this.#running += 1;
    try {
      const options = { event: 'completion-threw', subject, log: this.#log, signal: context.signal } as const;
      const given = readGiven(isJsonObject(told) ? told['arguments'] : undefined);
      return present(await concealFailure(() => completer(value, { ...context, given }), options));
    } finally {
      this.#running -= 1;
    }
  }
}

type Found = {
  /** Null if nothing is suggested. */
  readonly completer: Completer | null;
  readonly subject: string;
};

function findCompleter(surface: LoadedSurface, ref: unknown, argumentName: string): Found {
  const type = isJsonObject(ref) ? ref['type'] : undefined;
  if (type === 'ref/prompt') {
    return findInPrompt(surface, readText(ref, 'name', maxCharacters), argumentName);
  }
  if (type === 'ref/resource') {
    return findInTemplate(surface, readText(ref, 'uri', maxCharacters), argumentName);
  }
  throw invalidParams('Invalid parameters: ref must have the type ref/prompt or ref/resource');
}

function findInPrompt(surface: LoadedSurface, promptName: string, argumentName: string): Found {
  const prompt = findPrompt(surface, promptName);
  const argument = prompt.arguments.find(({ name }) => name === argumentName);
  if (argument === undefined) {
    const names = prompt.arguments.map(({ name }) => name).join(', ');
    throw invalidParams(`Unknown argument. The arguments of the prompt ${prompt.name} are: ${names}`);
  }
  return { completer: argument.complete ?? null, subject: prompt.name };
}

function findInTemplate({ providers }: LoadedSurface, uri: string, variable: string): Found {
  const templates = providers.flatMap((provider) => provider.templates);
  const template = templates.find(({ uriTemplate }) => uriTemplate === uri);
  if (template === undefined) {
    const uris = templates.slice(0, maxNamed).map(({ uriTemplate }) => uriTemplate);
    throw invalidParams(`Unknown resource template. The templates are: ${uris.join(', ')}`);
  }
  if (!Object.hasOwn(template.complete, variable)) {
    throw invalidParams(`Unknown variable of the resource template ${template.uriTemplate}`);
  }
  return { completer: template.complete[variable] ?? null, subject: template.name };
}

/** Skips values that are not text or too long: they would only have improved the suggestions. */
function readGiven(given: unknown): Readonly<Record<string, string>> {
  const texts = Object.entries(isJsonObject(given) ? given : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry.join('').length <= maxCharacters,
  );
  return Object.fromEntries(texts.slice(0, maxGiven));
}

function present(suggested: readonly string[] | Suggestions): Completion {
  const { values, total, hasMore } =
    'values' in suggested && 'hasMore' in suggested
      ? suggested
      : { values: suggested, total: suggested.length, hasMore: false };
  const shown = values.slice(0, maxValues);
  return {
    completion: { values: shown, ...(total !== null && { total }), hasMore: hasMore || shown.length < values.length },
  };
}

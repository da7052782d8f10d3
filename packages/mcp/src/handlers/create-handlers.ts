import { quoteValue } from '../content/quote-value.ts';
import { readTraceContext } from '../input/read-trace-context.ts';
import {
  errorCodes,
  invalidParams,
  isJsonObject,
  RpcError,
  readText,
  requireFirstPage,
} from '../input/request-params.ts';
import type { JsonObject } from '../input/tool-input.ts';
import type { Completer, Suggestions } from '../surface/prompt.ts';
import type {
  ResourceContent,
  ResourceContents,
  ResourceEntry,
  ResourceProvider,
  ResourceText,
} from '../surface/resource-provider.ts';
import type { SurfaceContext } from '../surface/surface-context.ts';
import { readStatedLimit } from './call-limits.ts';
import { concealFailure } from './conceal-error.ts';
import type { ListedTemplate, LoadedSurface } from './loaded-surface.ts';
import type { McpLog } from './mcp-log.ts';
import { findPrompt, PromptHandlers } from './prompt-handlers.ts';
import type { SurfaceRegistry } from './surface-registry.ts';
import { type IncomingCall, ToolHandlers, type ToolHandlersOptions } from './tool-handlers.ts';

/** Longer than any name in the protocol may be: a longer name cannot be ours. */
const maxToolNameCharacters = 1_000;

/** Who sent a request, and how its client can be reached while it runs. */
export type Caller = Omit<IncomingCall, 'name' | 'args' | 'statedLimitMs'>;

/** Answers one kind of request. The parameters come unchecked from the client. */
type Handler = (params: unknown, caller: Caller) => Promise<JsonObject>;

/** By method. */
export type Handlers = Readonly<Record<string, Handler>>;

/** Answers all requests of a client, for every revision of the protocol. Rejects with an `RpcError` if a request cannot be answered. */
export function createHandlers(options: ToolHandlersOptions): Handlers {
  const tools = new ToolHandlers(options);
  const prompts = new PromptHandlers(options);
  const resources = new ResourceHandlers(options);
  const completions = new CompletionHandlers(options);
  return {
    'tools/list': (params) => tools.list(params),
    'tools/call': async (params, caller) =>
      tools.call({
        ...readCall(params),
        statedLimitMs: readStatedLimit(params),
        ...caller,
        from: traced(params, caller),
      }),
    'prompts/list': (params) => prompts.list(params),
    'prompts/get': (params, caller) => prompts.get(params, traced(params, caller)),
    'resources/list': (params, { from }) => resources.list(params, from),
    'resources/templates/list': (params) => resources.listTemplates(params),
    'resources/read': (params, caller) => resources.read(params, traced(params, caller)),
    'completion/complete': (params, caller) => completions.complete(params, traced(params, caller)),
  };
}

/** The sender, with the trace that this request belongs to. */
function traced(params: unknown, { from }: Caller): SurfaceContext {
  const trace = readTraceContext(params);
  return trace === undefined ? from : { ...from, trace };
}

/** The name and the arguments of `tools/call`. */
export function readCall(params: unknown): Pick<IncomingCall, 'name' | 'args'> {
  const name = readText(params, 'name', maxToolNameCharacters);
  const { arguments: args = {} } = isJsonObject(params) ? params : {};
  if (!isJsonObject(args)) {
    throw invalidParams('Invalid parameters: arguments must be an object');
  }
  return { name, args };
}

const maxUriCharacters = 1_000;

type ResourceHostOptions = {
  readonly surface: SurfaceRegistry;
  readonly log: McpLog;
};

/** Lists and reads the resources of all providers. Rejects with an `RpcError` if a request cannot be answered. */
class ResourceHandlers {
  readonly #surface: SurfaceRegistry;
  readonly #log: McpLog;

  constructor(options: ResourceHostOptions) {
    this.#surface = options.surface;
    this.#log = options.log;
  }

  async list(params: unknown, context: SurfaceContext): Promise<{ readonly resources: readonly ResourceEntry[] }> {
    requireFirstPage(params, 'resources');
    const { providers } = await this.#surface.loadFor('resources');
    const lists = await this.#conceal(() => Promise.all(providers.map((provider) => provider.list(context))), context);
    return { resources: lists.flat() };
  }

  async listTemplates(params: unknown): Promise<{ readonly resourceTemplates: readonly ListedTemplate[] }> {
    requireFirstPage(params, 'resource templates');
    const { listedTemplates } = await this.#surface.loadFor('templates');
    return { resourceTemplates: listedTemplates };
  }

  async read(params: unknown, context: SurfaceContext): Promise<{ readonly contents: readonly ResourceContent[] }> {
    const uri = readText(params, 'uri', maxUriCharacters);
    const { providers } = await this.#surface.load();
    const found = await this.#conceal(() => readFirst(providers, uri, context), context);
    if (found === null) {
      throw new RpcError(
        errorCodes.resourceNotFound,
        `Resource not found: ${quoteValue(uri)}. resources/list names the existing ones.`,
      );
    }
    return 'contents' in found
      ? { contents: found.contents }
      : { contents: [{ uri, mimeType: found.mimeType, text: found.text }] };
  }

  #conceal<Result>(work: () => Promise<Result>, { signal }: SurfaceContext): Promise<Result> {
    return concealFailure(work, { event: 'resource-threw', subject: null, log: this.#log, signal });
  }
}

async function readFirst(
  providers: readonly ResourceProvider[],
  uri: string,
  context: SurfaceContext,
): Promise<ResourceText | ResourceContents | null> {
  for (const provider of providers) {
    const found = await provider.read(uri, context);
    if (found !== null) {
      return found;
    }
  }
  return null;
}

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

type CompletionHostOptions = {
  readonly surface: SurfaceRegistry;
  readonly log: McpLog;
};

/** Suggests values for arguments of prompts and of resource templates. Rejects with an `RpcError` for an unknown argument. */
class CompletionHandlers {
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

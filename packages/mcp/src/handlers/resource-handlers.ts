import { quoteValue } from '../content/quote-value.ts';
import { errorCodes, RpcError, readText, requireFirstPage } from '../input/request-params.ts';
import type {
  ResourceContent,
  ResourceContents,
  ResourceEntry,
  ResourceProvider,
  ResourceText,
} from '../surface/resource-provider.ts';
import type { SurfaceContext } from '../surface/surface-context.ts';
import { concealFailure } from './conceal-error.ts';
import type { ListedTemplate } from './loaded-surface.ts';
import type { McpLog } from './mcp-log.ts';
import type { SurfaceRegistry } from './surface-registry.ts';

const maxUriCharacters = 1_000;

export type ResourceHostOptions = {
  readonly surface: SurfaceRegistry;
  readonly log: McpLog;
};

/** Lists and reads the resources of all providers. Rejects with an `RpcError` if a request cannot be answered. */
export class ResourceHandlers {
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

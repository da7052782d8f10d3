import * as z from 'zod';
import { copyJson, schemaBounds } from '../input/json-schema/copy-json.ts';
import type { JsonObject, ToolInput } from '../input/tool-input.ts';
import type { Prompt, PromptArgument } from '../surface/prompt.ts';
import type { ResourceProvider, ResourceTemplate } from '../surface/resource-provider.ts';
import type { Surface } from '../surface/surface.ts';
import type { Tool } from '../surface/tool.ts';

/** Each list is one page, because many clients read no second one: so it has to be bounded. */
const maxListed = 1_000;

/** A listed schema must describe an object. Its other members stay unchanged. */
const objectSchema = z
  .object({
    type: z.literal('object'),
    properties: z.record(z.string(), z.custom<object>(isObject)).optional(),
    required: z.array(z.string()).optional(),
  })
  .catchall(z.unknown());

const toolSchema = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: objectSchema,
  outputSchema: objectSchema.optional(),
  annotations: z.object({
    readOnlyHint: z.boolean(),
    destructiveHint: z.boolean(),
    idempotentHint: z.boolean(),
    openWorldHint: z.boolean(),
  }),
  _meta: z.record(z.string(), z.unknown()).optional(),
});

/** A tool in the form of tools/list. */
export type SurfaceTool = Pick<Tool, 'name' | 'title' | 'description' | 'annotations'> & {
  readonly _meta?: JsonObject | undefined;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema | undefined;
};

type ObjectSchema = JsonObject & {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, object>> | undefined;
  readonly required?: readonly string[] | undefined;
};

/** A prompt in the form of prompts/list. */
export type SurfacePrompt = Omit<Prompt, 'arguments' | 'get'> & {
  readonly arguments?: readonly Omit<PromptArgument, 'complete'>[];
};

/** A template in the form of resources/templates/list. */
export type ListedTemplate = Omit<ResourceTemplate, 'complete'>;

/** The surface of a server, ready to be listed and used. Tools and prompts are in order of name. */
export type LoadedSurface = {
  readonly listedTools: readonly SurfaceTool[];
  readonly tools: ReadonlyMap<string, Tool>;
  readonly listedPrompts: readonly SurfacePrompt[];
  readonly prompts: ReadonlyMap<string, Prompt>;
  readonly listedTemplates: readonly ListedTemplate[];
  readonly providers: readonly ResourceProvider[];
};

/** Cached, because over HTTP many servers, one per request, offer the same surface. */
const readySurfaces = new WeakMap<Surface, LoadedSurface>();

/** Cached, because successive surfaces share most of their tools. */
const listedTools = new WeakMap<Tool, SurfaceTool>();

/** Rejects for an invalid surface: two tools or prompts of one name, or more than 1,000 of them. */
export async function makeReady(surface: Surface): Promise<LoadedSurface> {
  const ready = readySurfaces.get(surface) ?? presentSurface(surface);
  readySurfaces.set(surface, ready);
  return ready;
}

function presentSurface(surface: Surface): LoadedSurface {
  const tools = byName('tools', surface.tools);
  const prompts = byName('prompts', surface.prompts);
  return {
    listedTools: [...tools.values()].filter(({ isUnlisted = false }) => !isUnlisted).map(presentOnce),
    tools,
    listedPrompts: [...prompts.values()].map(presentPrompt),
    prompts,
    listedTemplates: surface.resources.flatMap((provider) => provider.templates).map(presentTemplate),
    providers: surface.resources,
  };
}

function presentOnce(tool: Tool): SurfaceTool {
  const listed = listedTools.get(tool) ?? presentTool(tool);
  listedTools.set(tool, listed);
  return listed;
}

function byName<Item extends { readonly name: string }>(
  kind: string,
  items: readonly Item[],
): ReadonlyMap<string, Item> {
  if (items.length > maxListed) {
    throw new Error(`A surface has ${items.length} ${kind}; at most ${maxListed} fit into a list`);
  }
  const sorted = [...items].sort((a, b) => (a.name < b.name ? -1 : 1));
  const map = new Map(sorted.map((item) => [item.name, item]));
  if (map.size !== items.length) {
    throw new Error(`Two ${kind} have the same name`);
  }
  return map;
}

/** The lists that a client reads of a surface. Templates have their own list, but share a notice with the resources. */
export type ListName = 'tools' | 'prompts' | 'resources' | 'templates';

/** A tool in the form of tools/list. Throws if the tool has no such form, which is a bug in the surface. */
export function presentTool(tool: Tool): SurfaceTool {
  const { name, title, description, annotations, output } = tool;
  return toolSchema.parse({
    name,
    title,
    description,
    inputSchema: listedSchema(tool),
    ...(output !== undefined && { outputSchema: publishedSchema(output, 'output') }),
    annotations,
    ...listedMeta(tool),
  });
}

/** The keys of Claude Code, which other clients read too. */
function listedMeta({ searchHint, isLoadedAtOnce = false, maxResultCharacters }: Tool): {
  readonly _meta?: JsonObject;
} {
  const meta = {
    ...(searchHint !== undefined && { 'anthropic/searchHint': searchHint }),
    ...(isLoadedAtOnce && { 'anthropic/alwaysLoad': true }),
    ...(maxResultCharacters !== undefined && { 'anthropic/maxResultSizeChars': maxResultCharacters }),
  };
  return Object.keys(meta).length === 0 ? {} : { _meta: meta };
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

type ListedInput = Pick<Tool, 'input' | 'unlisted' | 'listedAsText'>;

/**
 * The arguments of a tool in the form of tools/list: JSON Schema unchanged, a zod object shortened. Each client pays for every
 * character of it in each conversation, so it omits what a model cannot use: patterns, formats, limits and
 * defaults. Calls are still checked against all of that, and a refusal names it. It also omits that no other arguments are
 * accepted: a client that checks calls itself would refuse unlisted ones.
 */
export function listedSchema({ input, unlisted = [], listedAsText = [] }: ListedInput): unknown {
  if ('jsonSchema' in input) {
    return publishedSchema(input, 'input');
  }
  const schema = z.toJSONSchema(input, { io: 'input', override: ({ jsonSchema }) => shorten(jsonSchema) });
  // Without $schema the dialect is 2020-12, which zod writes.
  const { $schema: _dialect, additionalProperties: _closed, properties = {}, ...rest } = schema;
  return {
    ...rest,
    properties: Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => !unlisted.includes(name))
        .map(([name, property]) => [
          name,
          listedAsText.includes(name) ? { ...Object(property), type: 'string' } : property,
        ]),
    ),
  };
}

/** `default` is among them because strict modes of client libraries refuse it. */
const unlistedKeywords = [
  ...(['pattern', 'format', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum'] as const),
  'default',
] as const satisfies readonly (keyof JsonSchema)[];

function shorten(schema: JsonSchema): void {
  for (const keyword of unlistedKeywords) {
    delete schema[keyword];
  }
  if (schema.propertyNames !== undefined) {
    // A record writes this: any object.
    delete schema.propertyNames;
    delete schema.additionalProperties;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** The schema of an input or output, whole. */
export function publishedSchema(input: ToolInput, io: 'input' | 'output'): unknown {
  if (!('jsonSchema' in input)) {
    // Without $schema the dialect is 2020-12, which zod writes: the line would cost every client tokens for nothing.
    const { $schema: _, ...schema } = z.toJSONSchema(input, { io });
    return schema;
  }
  const copied = copyJson(input.jsonSchema, schemaBounds);
  if (!copied.isCopied) {
    throw new Error(`A JSON Schema ${copied.problem}`);
  }
  return copied.copy;
}

/** A prompt in the form of prompts/list. */
function presentPrompt({ name, title, description, arguments: args }: Prompt): SurfacePrompt {
  return {
    name,
    title,
    description,
    ...(args.length > 0 && { arguments: args.map(({ complete: _, ...argument }) => argument) }),
  };
}

/** A template in the form of resources/templates/list. */
function presentTemplate({ complete: _, ...template }: ResourceTemplate): ListedTemplate {
  return template;
}

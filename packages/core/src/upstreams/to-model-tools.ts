import type { ModelTool } from '../ports/tool-provider.ts';
import type { ListedTool } from '../ports/upstreams/server-lists.ts';
import type { ServerTool } from '../ports/upstreams/upstream-servers.ts';
import { escapeControls } from '../text/escape-controls.ts';
import { escapeName } from '../text/escape-name.ts';
import { fitInputSchema } from './input-schema/fit-input-schema.ts';
import { type ModelToolNameOptions, modelToolName } from './model-tool-name.ts';

/** The tools that one server lists. */
export type ToolsOfServer = { readonly server: string; readonly tools: readonly ListedTool[] };

/** A tool of a server as Gemini gets it, with everything that a call needs. */
export type UpstreamTool = ServerTool & {
  readonly modelTool: ModelTool;
  /** For `restoreNames`, which restores argument names. */
  readonly originals: ReadonlyMap<string, string>;
  /** The server's own schema, which the arguments of a call must fit. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
};

/** A tool that Gemini does not get, and why: a sentence for a user. */
export type SetAsideTool = ServerTool & { readonly reason: string };

export type UpstreamTools = {
  /** By their names for Gemini, in the order of the servers and of their lists. */
  readonly offered: ReadonlyMap<string, UpstreamTool>;
  readonly setAside: readonly SetAsideTool[];
};

export type ToModelToolsOptions = Pick<ModelToolNameOptions, 'reader' | 'sha256'>;

const maxDescriptionCharacters = 4_000;

/**
 * Converts the tools of servers for Gemini. Unusable ones are set aside without affecting the others: a tool whose arguments no schema of the API can
 * describe, duplicates of a name within a server, and tools whose names would be equal.
 */
export function toModelTools(servers: readonly ToolsOfServer[], options: ToModelToolsOptions): UpstreamTools {
  const offered = new Map<string, UpstreamTool>();
  const setAside: SetAsideTool[] = [];
  const clashing = new Set<string>();
  for (const { server, tool } of servers.flatMap(({ server, tools }) => tools.map((tool) => ({ server, tool })))) {
    const name = modelToolName({ server, tool: tool.name, ...options });
    const same = offered.get(name);
    const made =
      same === undefined && !clashing.has(name)
        ? toModelTool({ server, tool, name }, options)
        : reasonFor(server, tool, same);
    if ('modelTool' in made) {
      offered.set(name, made);
    } else {
      setAside.push(made);
    }
    if (same !== undefined && (same.server !== server || same.tool !== tool.name)) {
      clashing.add(name);
      offered.delete(name);
      setAside.push({ server: same.server, tool: same.tool, reason: clash });
    }
  }
  return { offered, setAside };
}

const clash = 'Its name would be the same as that of another tool.';

function reasonFor(server: string, { name: tool }: ListedTool, same: UpstreamTool | undefined): SetAsideTool {
  const isTwice = same?.server === server && same.tool === tool;
  return { server, tool, reason: isTwice ? 'The server lists it twice. The first one counts.' : clash };
}

function toModelTool(
  { server, tool, name }: { readonly server: string; readonly tool: ListedTool; readonly name: string },
  { sha256 }: ToModelToolsOptions,
): UpstreamTool | SetAsideTool {
  const fit = fitInputSchema(tool.inputSchema, sha256);
  if (!fit.fits) {
    return { server, tool: tool.name, reason: `The schema of its arguments ${fit.reason}.` };
  }
  const modelTool: ModelTool = {
    name,
    description: describe(server, tool),
    inputSchema: fit.schema,
    // A server's claims do not justify concurrent calls.
    changes: true,
  };
  return { server, tool: tool.name, modelTool, originals: fit.originals, inputSchema: tool.inputSchema };
}

/** In the server's own words, attributed to it. */
function describe(server: string, { title, description, name }: ListedTool): string {
  const words = [title, description].filter((text) => text !== null && text !== '').join('\n');
  const cut = words.length > maxDescriptionCharacters ? `${words.slice(0, maxDescriptionCharacters)}…` : words;
  const shown = [name, server].map((one) => escapeName(one.slice(0, 100)));
  return `Tool ${shown[0]} of the server ${shown[1]}.${cut === '' ? '' : ` ${escapeControls(cut)}`}`;
}

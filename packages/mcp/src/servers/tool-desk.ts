import type { JsonSchemaInput } from '../input/tool-input.ts';
import type { Tool } from '../tool.ts';
import type { CatalogTool } from './server-catalog.ts';

export type ToolQuery = {
  readonly text: string;
  /** Null for all servers. */
  readonly server: string | null;
  readonly max: number;
};

export type MadeTool =
  | { readonly tool: Tool<JsonSchemaInput> }
  /** A sentence. */
  | { readonly problem: string };

/** Where the tools are that are found and called by other tools, as they are at the time. */
export type ToolDesk = {
  search(query: ToolQuery): Promise<{
    readonly found: readonly CatalogTool[];
    /** Of all that may be called. */
    readonly total: number;
    readonly withheld: number;
    /** Of the servers with tools that may be called. */
    readonly servers: readonly string[];
  }>;
  /** By the name under which a tool is offered; null where there is none. */
  find(name: string): Promise<CatalogTool | null>;
  /** Names that look like one that there is not. */
  nearest(name: string): Promise<string | null>;
  make(tool: CatalogTool): Promise<MadeTool>;
};

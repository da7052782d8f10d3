import type { RunSettings, ToolAccess } from '@gemini-mcp/core';
import type { ToolOutcome } from '../tool.ts';

/** What the operator and the place of the server decide about runs that callers ask for. */
export type RunPolicy = {
  readonly allowYolo: boolean;
  /** The absolute directory that a caller's words mean; the server's own where they name none. */
  readonly resolveDirectory: (name: string | null) => string;
};

export type RunArgs = {
  readonly workingDirectory?: string | undefined;
  readonly sandbox: boolean;
  readonly yolo: boolean;
  readonly apiKey?: string | undefined;
};

/** Why a call is not run, null when nothing speaks against it. */
export function refuseRun({ yolo }: RunArgs, { allowYolo }: RunPolicy): ToolOutcome | null {
  if (!yolo || allowYolo) {
    return null;
  }
  const text =
    'Error executing gemini: yolo is not allowed on this server. Call again without it: Gemini can still read files and ' +
    'answer. The operator of the server can allow it with GEMINI_MCP_ALLOW_YOLO=1.';
  return { text, isError: true };
}

/** How the CLI is run for these arguments; `tools` is what it may use without yolo. */
export function runSettingsOf(args: RunArgs, tools: ToolAccess, { resolveDirectory }: RunPolicy): RunSettings {
  return {
    systemPrompt: null,
    tools: args.yolo ? 'everything' : tools,
    directory: resolveDirectory(args.workingDirectory ?? null),
    directoryIsOptional: args.workingDirectory === undefined,
    apiKey: args.apiKey ?? null,
    sandbox: args.sandbox,
  };
}

import { type CallDirectory, plainRunSettings, type RunSettings, type ToolAccess } from '@gemini-mcp/core';
import type { ToolOutcome } from '../surface/tool.ts';

/** What the operator allows, and what the server supports, in runs that callers ask for. */
export type RunPolicy = {
  readonly allowYolo: boolean;
  /** Resolves the directory that a caller names to an absolute path; the server's own if null. */
  readonly resolveDirectory: (name: string | null) => string;
  /** Whether Gemini may get a directory and tools to read it; true if missing. False also rules out yolo. */
  readonly mayReadFiles?: boolean;
  /** Why no caller may have files read and what to do about it, in sentences for a user; missing if others may. */
  readonly noFilesText?: string;
  /** As in `CallDirectory`. */
  readonly roots?: readonly string[];
};

export type RunArgs = {
  readonly workingDirectory?: string | undefined;
  readonly sandbox: boolean;
  readonly yolo: boolean;
  readonly apiKey?: string | undefined;
};

/** The refusal of a call, or null if the policy allows it. */
export function refuseRun({ yolo, workingDirectory }: RunArgs, policy: RunPolicy): ToolOutcome | null {
  if (yolo && !policy.allowYolo) {
    const advice = 'Gemini can still read files and answer. The operator of the server can allow it with';
    return refusal(`yolo is not allowed on this server. Call again without it: ${advice} GEMINI_MCP_ALLOW_YOLO=1.`);
  }
  if (yolo && !permitsYolo(policy)) {
    return refusal(`yolo lets Gemini read files${notAllowed(policy)}`);
  }
  return refuseDirectory('workingDirectory', workingDirectory, policy);
}

/** The refusal of a call that would read a directory from a container, or null. */
export function refuseSandbox({ sandbox, yolo, workingDirectory }: RunArgs): ToolOutcome | null {
  return sandbox && !yolo && workingDirectory !== undefined
    ? refusal(
        'sandbox and workingDirectory do not go together: Gemini looks into a directory by tools of this server, which do not reach ' +
          'the container. Leave sandbox out: these tools change nothing and run nothing.',
      )
    : null;
}

/** The refusal of a call that works on files, or null if they are allowed. */
export function refuseFiles(policy: RunPolicy): ToolOutcome | null {
  const { mayReadFiles = true, noFilesText } = policy;
  if (mayReadFiles) {
    return null;
  }
  const reason =
    noFilesText ?? 'Files are not allowed to you. The operator of the server decides who may have files read.';
  return { text: `Not started: ${reason}`, isError: true, detail: { type: 'refused', reason: 'not-allowed' } };
}

/** The refusal of a call that names a directory, or null if it is allowed. */
export function refuseDirectory(
  argument: 'workingDirectory' | 'cwd',
  name: string | undefined,
  policy: RunPolicy,
): ToolOutcome | null {
  const { mayReadFiles = true } = policy;
  return mayReadFiles || name === undefined ? null : refusal(`${argument} lets Gemini read files${notAllowed(policy)}`);
}

/** Whether any call may change something. */
export function permitsYolo({ allowYolo, mayReadFiles = true }: RunPolicy): boolean {
  return allowYolo && mayReadFiles;
}

/** The run settings for these arguments; `tools` lists the tools that Gemini may use without yolo. */
export function runSettingsOf({ yolo, apiKey, sandbox }: RunArgs, tools: ToolAccess): RunSettings {
  return { ...plainRunSettings, tools: yolo ? 'everything' : tools, apiKey: apiKey ?? null, sandbox };
}

/** The directory that a caller names, else the server's, as part of a request; empty if files may not be read. */
export function directoryOf(
  name: string | undefined,
  { resolveDirectory, mayReadFiles = true, roots }: RunPolicy,
): { readonly directory?: CallDirectory } {
  if (!mayReadFiles) {
    return {};
  }
  const path = resolveDirectory(name ?? null);
  return { directory: { path, isOptional: name === undefined, ...(roots !== undefined && { roots }) } };
}

function notAllowed({ noFilesText }: RunPolicy): string {
  return noFilesText === undefined
    ? `, which is not allowed to you. ${withoutIt}`
    : `, which is not possible: ${noFilesText} Without it Gemini answers from your words alone.`;
}

const withoutIt =
  'Call again without it: Gemini answers from your words alone. The operator of the server decides who may have files read.';

function refusal(reason: string): ToolOutcome {
  const detail = { type: 'refused', reason: 'not-allowed' } as const;
  return { text: `Error executing gemini: ${reason}`, isError: true, detail };
}

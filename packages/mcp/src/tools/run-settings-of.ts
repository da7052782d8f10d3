import { type CallDirectory, plainRunSettings, type RunSettings, type ToolAccess } from '@gemini-mcp/core';
import type { ToolOutcome } from '../surface/tool.ts';

/** What the operator and the place of the server decide about runs that callers ask for. */
export type RunPolicy = {
  readonly allowYolo: boolean;
  /** The absolute directory that a caller's words mean; the server's own where they name none. */
  readonly resolveDirectory: (name: string | null) => string;
  /** Whether Gemini may be given a directory and tools for what is in it; true when it is missing. Without it no yolo either. */
  readonly mayReadFiles?: boolean;
  /** Why no caller may have files read and what to do about it, in sentences for a user; missing where others may. */
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

/** Why a call is not run, null when nothing speaks against it. */
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

/** Why a call that is to look into a directory from a container is not run, null when nothing speaks against it. */
export function refuseSandbox({ sandbox, yolo, workingDirectory }: RunArgs): ToolOutcome | null {
  return sandbox && !yolo && workingDirectory !== undefined
    ? refusal(
        'sandbox and workingDirectory do not go together: Gemini looks into a directory by tools of this server, which do not reach ' +
          'the container. Leave sandbox out: these tools change nothing and run nothing.',
      )
    : null;
}

/** Why a call that works on files is not run, null when nothing speaks against it. */
export function refuseFiles(policy: RunPolicy): ToolOutcome | null {
  const { mayReadFiles = true, noFilesText } = policy;
  if (mayReadFiles) {
    return null;
  }
  const reason =
    noFilesText ?? 'Files are not allowed to you. The operator of the server decides who may have files read.';
  return { text: `Not started: ${reason}`, isError: true, detail: { type: 'refused', reason: 'not-allowed' } };
}

/** Why a call that names a directory is not run, null when nothing speaks against it. */
export function refuseDirectory(
  argument: 'workingDirectory' | 'cwd',
  name: string | undefined,
  policy: RunPolicy,
): ToolOutcome | null {
  const { mayReadFiles = true } = policy;
  return mayReadFiles || name === undefined ? null : refusal(`${argument} lets Gemini read files${notAllowed(policy)}`);
}

/** Whether there is a call that changes anything. */
export function permitsYolo({ allowYolo, mayReadFiles = true }: RunPolicy): boolean {
  return allowYolo && mayReadFiles;
}

/** How Gemini is run for these arguments; `tools` is what it may use without yolo. */
export function runSettingsOf({ yolo, apiKey, sandbox }: RunArgs, tools: ToolAccess): RunSettings {
  return { ...plainRunSettings, tools: yolo ? 'everything' : tools, apiKey: apiKey ?? null, sandbox };
}

/** The directory that a caller names, else that of the server, as part of a request; none where no files may be read. */
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

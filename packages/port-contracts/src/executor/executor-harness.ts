import type { Executor, StepRefusal, StepResult, Workspace, WorkspaceOptions } from '@gemini-mcp/core';
import { expect } from 'vitest';
import type { FileTree } from '../context-resolver/context-resolver-harness.ts';
import type { Proof } from '../proof.ts';
import { showValue } from '../show-value.ts';

/** The files of a test. */
export type ExecutorPlace = {
  /** Files below the working directory, which is a root. */
  readonly tree: FileTree;
  /** Files next to the working directory, outside every root: paths below its parent directory. */
  readonly outside: FileTree;
  /** Symbolic links below the working directory, with their targets relative to the working directory. */
  readonly links: Readonly<Record<string, string>>;
};

/**
 * The files as another program sees and changes them. Paths are relative to the working directory, and may begin with
 * `../../`.
 */
export type PlaceFiles = {
  /** Null if the path is not a file. */
  readonly read: (path: string) => Promise<Uint8Array | null>;
  /** Creates missing parent directories. */
  readonly write: (path: string, content: string | Uint8Array) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  /** All files and links below the working directory and next to it, in any order. */
  readonly all: () => Promise<readonly string[]>;
  /** The permission bits of a file. */
  readonly mode: (path: string) => Promise<number>;
  readonly setMode: (path: string, mode: number) => Promise<void>;
};

export type ExecutorHarness = {
  readonly executor: Executor;
  /** Absolute; the last name is `project`. */
  readonly workingDirectory: string;
  readonly files: PlaceFiles;
  readonly dispose: () => Promise<void>;
};

/** The features of the place and the executor. Each declared feature is tested, and `create` must provide it. */
export type ExecutorFeatures = {
  /** Symbolic links. */
  readonly links: boolean;
  /** Permission bits. */
  readonly modes: boolean;
  /** Commands, with `sh` and `sleep` among the programs. */
  readonly commands: boolean;
};

/** A run in its own place. */
export type OpenRun = ExecutorHarness & {
  readonly workspace: Workspace;
  /** Opens another run in the same place, which may read and change files unless `fields` say otherwise. */
  readonly openRun: (fields?: Partial<WorkspaceOptions>) => Promise<Workspace>;
};

export type ExecutorSubject = {
  readonly proof: Proof;
  /** Makes the place, empty where fields are missing, and opens a run in it. */
  readonly open: (place: Partial<ExecutorPlace>, fields?: Partial<WorkspaceOptions>) => Promise<OpenRun>;
  readonly features: ExecutorFeatures;
};

export function describeExecutorPlace({ tree, outside, links }: ExecutorPlace): string {
  return `files ${showValue(tree)}, next to them ${showValue(outside)}, links ${showValue(links)}`;
}

/** The value of a step that must succeed. */
export function doneBy<Value>(result: StepResult<Value>): Value {
  expect(result).toMatchObject({ ok: true });
  if (!result.ok) {
    throw new Error('the step was refused');
  }
  return result.value;
}

/** The refusal of a step that must be refused. It must have text: a model reads it. */
export function refusalBy(result: StepResult<unknown>): StepRefusal {
  expect(result).toMatchObject({ ok: false, refusal: { message: expect.stringMatching(/\S/) } });
  if (result.ok) {
    throw new Error('the step was done');
  }
  return result.refusal;
}

/** The text of a file as another program sees it; null if missing. */
export async function textIn({ files }: Pick<ExecutorHarness, 'files'>, path: string): Promise<string | null> {
  const bytes = await files.read(path);
  return bytes === null ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

export const never: AbortSignal = new AbortController().signal;

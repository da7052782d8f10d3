import type { InlineMedia, ProjectForTools, StepRefusal, ToolResult } from '@gemini-mcp/core';
import type * as z from 'zod';

export type ToolReport =
  | {
      readonly ok: true;
      /** For Gemini; begins with a word. */
      readonly text: string;
      readonly data: Readonly<Record<string, unknown>>;
      readonly media?: readonly InlineMedia[];
      /** For the run's report, in a few words of ours; may be empty. */
      readonly summary: string;
    }
  | { readonly ok: false; readonly refusal: StepRefusal };

export type CallLimit = { readonly deadlineAtMs: number };

/** A tool on a project that Gemini can call. */
export type ProjectTool<Input extends z.ZodObject = z.ZodObject> = {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly changes: boolean;
  readonly takesLong: boolean;
  /** The subject of a call, for people: a path, a command line. In Gemini's words. */
  subjectOf(args: z.output<Input>): string;
  writtenBytesOf?(args: z.output<Input>): number;
  /** Never rejects. */
  run(args: z.output<Input>, limit: CallLimit, signal: AbortSignal): Promise<ToolReport>;
};

/** Describes a refused step to Gemini: what, why, and what to do. */
export function refusedResult({ code, message, hint, retriable }: StepRefusal): ToolResult {
  const text = hint === '' ? `Refused: ${message}` : `Refused: ${message} ${hint}`;
  return { text, data: { code, message, hint, retriable }, isDone: false };
}

/** Resolves to null if the user allows a step, otherwise to the refusal. Never rejects. */
export type AskUser = ProjectForTools['askUser'];

import type { InlineMedia, ProjectForTools, StepRefusal, ToolResult } from '@gemini-mcp/core';
import type * as z from 'zod';

export type ToolReport =
  | {
      readonly ok: true;
      /** For Gemini; begins with a word. */
      readonly text: string;
      readonly data: Readonly<Record<string, unknown>>;
      readonly media?: readonly InlineMedia[];
      /** For the account, in a few words of ours; empty where there is nothing to say. */
      readonly summary: string;
    }
  | { readonly ok: false; readonly refusal: StepRefusal };

export type CallLimit = { readonly deadlineAtMs: number };

/** A tool on a project that Gemini may be lent. */
export type ProjectTool<Input extends z.ZodObject = z.ZodObject> = {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly changes: boolean;
  readonly takesLong: boolean;
  /** What a call is about, for people: a path, a command line. Words of Gemini's. */
  subjectOf(args: z.output<Input>): string;
  writtenBytesOf?(args: z.output<Input>): number;
  /** Never rejects. */
  run(args: z.output<Input>, limit: CallLimit, signal: AbortSignal): Promise<ToolReport>;
};

/** A step that was not carried out, as Gemini is told of it: what, why, and what to do. */
export function refusedResult({ code, message, hint, retriable }: StepRefusal): ToolResult {
  const text = hint === '' ? `Refused: ${message}` : `Refused: ${message} ${hint}`;
  return { text, data: { code, message, hint, retriable }, isDone: false };
}

/** Resolves to null where the user allows a step, otherwise to why it is not taken. Never rejects. */
export type AskUser = ProjectForTools['askUser'];

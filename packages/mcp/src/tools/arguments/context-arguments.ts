import * as z from 'zod';
import { deliverableText, modelArgument, modelDescription } from './run-arguments.ts';

const limits = { pathCharacters: 4_096, listCharacters: 300_000 } as const;

const descriptions = {
  files: 'Paths; src/a.ts:10-40 sends these lines.',
  globPatterns: 'Such as src/**/*.ts.',
  directories: 'Read recursively; "." is the working directory.',
  maxFiles: 'At most this many files: files first, then glob_patterns, then directories, each in order of path.',
  maxBytes:
    "At most this many bytes of files. What does not fit is left out whole, never cut, and named. The model's window may " +
    'set a lower limit.',
} as const;

export type ContextArguments = {
  readonly files: z.ZodDefault<z.ZodArray<z.ZodString>>;
  readonly glob_patterns: z.ZodDefault<z.ZodArray<z.ZodString>>;
  readonly directories: z.ZodDefault<z.ZodArray<z.ZodString>>;
  readonly model: z.ZodOptional<z.ZodString>;
  readonly timeout: z.ZodDefault<z.ZodInt>;
  readonly max_files: z.ZodDefault<z.ZodInt>;
  readonly max_bytes: z.ZodDefault<z.ZodInt>;
};

export type ContextArgumentsOptions = {
  readonly modelChain: readonly string[];
  readonly defaultTimeoutMs: number;
  /** The longest timeout that a caller may give; an hour if missing. */
  readonly maxTimeoutMs?: number;
  /** Limits the files and bytes of text of one call, and serves as the default; 2,000 and 10,000,000 if missing. */
  readonly maxFiles?: number;
  readonly maxBytes?: number;
  /** Limits images, PDFs and other media in one call; as much as the runner carries if missing. */
  readonly maxMediaBytes?: number;
};

/** The arguments by which few callers can improve on the server: its limits apply anyway. */
export const unlistedContextArguments: readonly (keyof ContextArguments)[] = ['max_files', 'max_bytes'];

/** Which files go to which model, within which limits: the same for asking and for previewing. */
export function contextArguments({
  modelChain,
  defaultTimeoutMs,
  maxTimeoutMs = 3_600_000,
  maxFiles = 2_000,
  maxBytes = 10_000_000,
}: ContextArgumentsOptions): ContextArguments {
  const maxTimeoutSeconds = Math.max(1, Math.floor(maxTimeoutMs / 1_000));
  const defaultTimeoutSeconds = Math.min(maxTimeoutSeconds, Math.max(1, Math.round(defaultTimeoutMs / 1_000)));
  return {
    files: paths(1_000).describe(descriptions.files),
    glob_patterns: paths(100).describe(descriptions.globPatterns),
    directories: paths(100).describe(descriptions.directories),
    model: modelArgument(modelChain).optional().describe(modelDescription),
    timeout: z
      .int()
      .min(1)
      .max(maxTimeoutSeconds)
      .default(defaultTimeoutSeconds)
      .describe(`Seconds; ${defaultTimeoutSeconds} by default.`),
    max_files: z.int().min(1).max(maxFiles).default(maxFiles).describe(descriptions.maxFiles),
    max_bytes: z.int().min(1).max(maxBytes).default(maxBytes).describe(descriptions.maxBytes),
  };
}

/** Gemini and the caller get the names of missing files, so all names together must not outgrow the message. */
function paths(maxItems: number): z.ZodDefault<z.ZodArray<z.ZodString>> {
  return z
    .array(deliverableText(limits.pathCharacters).min(1))
    .max(maxItems, { abort: true })
    .refine((names) => names.reduce((sum, { length }) => sum + length, 0) <= limits.listCharacters, {
      error: `must have at most ${limits.listCharacters} characters all together`,
    })
    .default([]);
}

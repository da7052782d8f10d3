import * as z from 'zod';

const limits = { promptCharacters: 1_000_000, pathCharacters: 4_096, maxFiles: 500, maxBytes: 10_000_000 } as const;

const descriptions = {
  prompt:
    'The question or task, complete in itself: Gemini sees neither your conversation nor any file that is not named here. ' +
    'Delivered literally: @names and /commands in it have no effect.',
  files:
    "Paths of files to send, absolute or relative to the server's working directory. Read even where .gitignore excludes " +
    'them, but only inside the allowed directories; secrets and binary files are left out. A missing file is reported.',
  globPatterns:
    'Patterns such as src/**/*.ts or docs/*.{md,txt}, relative to the working directory, with / as separator. ' +
    '.gitignore and .geminiignore are respected.',
  directories:
    'Directories whose text files are sent, with all their subdirectories; "." is the working directory. ' +
    '.gitignore and .geminiignore are respected.',
  model:
    'One model by name, such as gemini-2.5-flash: it is retried but never replaced. Leave it out for the best model ' +
    'available, with fallback to the next one.',
  timeout:
    'Seconds for the whole call, retries included. Give 300 or more for much context or a hard question; your own client ' +
    'may have a shorter limit.',
  maxFiles: 'At most this many files: files first, then glob_patterns, then directories, each in order of path.',
  maxBytes:
    "At most this many bytes of files. What does not fit is left out whole, never cut, and named. The model's window may " +
    'set a lower limit.',
} as const;

export type GeminiQueryInput = z.ZodObject<
  {
    prompt: z.ZodString;
    files: z.ZodDefault<z.ZodArray<z.ZodString>>;
    glob_patterns: z.ZodDefault<z.ZodArray<z.ZodString>>;
    directories: z.ZodDefault<z.ZodArray<z.ZodString>>;
    model: z.ZodOptional<z.ZodString>;
    timeout: z.ZodDefault<z.ZodInt>;
    max_files: z.ZodDefault<z.ZodInt>;
    max_bytes: z.ZodDefault<z.ZodInt>;
  },
  z.core.$strict
>;

export type GeminiQueryArgs = z.output<GeminiQueryInput>;

/** The arguments of gemini_query. Built on demand, so that starting the server does not wait for it. */
export function createGeminiQueryInput(modelChain: readonly string[]): GeminiQueryInput {
  return z.strictObject({
    prompt: promptText().describe(descriptions.prompt),
    files: paths(1_000).describe(descriptions.files),
    glob_patterns: paths(100).describe(descriptions.globPatterns),
    directories: paths(100).describe(descriptions.directories),
    model: modelName(modelChain).optional().describe(descriptions.model),
    timeout: z.int().min(1).max(3_600).default(120).describe(descriptions.timeout),
    max_files: z.int().min(1).max(limits.maxFiles).default(limits.maxFiles).describe(descriptions.maxFiles),
    max_bytes: z.int().min(1).max(limits.maxBytes).default(limits.maxBytes).describe(descriptions.maxBytes),
  });
}

function promptText(): z.ZodString {
  return z
    .string()
    .min(1, { abort: true })
    .max(limits.promptCharacters, { abort: true })
    .refine((text) => text.trim() !== '', { error: 'must not be blank' })
    .refine(isDeliverable, { error: undeliverable });
}

function paths(maxItems: number): z.ZodDefault<z.ZodArray<z.ZodString>> {
  const path = z
    .string()
    .min(1)
    .max(limits.pathCharacters, { abort: true })
    .refine(isDeliverable, { error: undeliverable });
  return z.array(path).max(maxItems).default([]);
}

const undeliverable = 'must not contain NUL or half of a surrogate pair, which cannot be delivered as they are';

function isDeliverable(text: string): boolean {
  return !/\0|\p{Cs}/u.test(text);
}

function modelName(modelChain: readonly string[]): z.ZodString {
  return z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, {
      abort: true,
      error: 'must be a model name: a to z, 0 to 9, ".", "_" and "-", 64 characters at most',
    })
    .refine((name) => isAskable(name, modelChain), {
      error: `must begin with gemini- or gemma- or be one of ${modelChain.join(', ')}; leave it out for these with fallback`,
    });
}

/** `auto` would let the CLI choose, with one more billed request and fallbacks that nobody is told of. */
function isAskable(name: string, modelChain: readonly string[]): boolean {
  return name !== 'auto' && (/^(gemini|gemma)-/.test(name) || modelChain.includes(name));
}

import * as z from 'zod';

const pathCharacters = 4_096;

const descriptions = {
  workingDirectory: "Directory to read; the server's by default.",
  sandbox: 'Run the Gemini CLI in its own sandbox (docker or podman must be installed).',
  yolo: 'Let Gemini use all of its tools without asking. Refused unless the operator of this server allows it.',
  apiKey: 'Gemini API key for this call alone. Leave it out to use the login of the server.',
} as const;

export type RunArguments = {
  readonly model: z.ZodOptional<z.ZodString>;
  readonly workingDirectory: z.ZodOptional<z.ZodString>;
  readonly sandbox: z.ZodDefault<z.ZodBoolean>;
  readonly yolo: z.ZodDefault<z.ZodBoolean>;
  readonly apiKey: z.ZodOptional<z.ZodString>;
};

/** Unlisted, for scripts. A model that saw them could leak a key, or ask for a sandbox that is not installed. */
export const unlistedRunArguments: readonly (keyof RunArguments)[] = ['sandbox', 'yolo', 'apiKey'];

/** How the CLI runs for one call. */
export function runArguments(modelChain: readonly string[]): RunArguments {
  return {
    model: modelArgument(modelChain).optional().describe(modelDescription),
    workingDirectory: directoryArgument().optional().describe(descriptions.workingDirectory),
    sandbox: z.boolean().default(false).describe(descriptions.sandbox),
    yolo: z.boolean().default(false).describe(descriptions.yolo),
    apiKey: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,256}$/, { error: 'must be an API key: letters, digits, ".", "_" and "-"' })
      .optional()
      .describe(descriptions.apiKey),
  };
}

export type ConversationArguments = {
  readonly model: z.ZodOptional<z.ZodString>;
  readonly systemPrompt: z.ZodOptional<z.ZodString>;
  readonly cwd: z.ZodOptional<z.ZodString>;
};

const systemPrompt = 'Replaces the usual instructions.';

/** The settings of a conversation. */
export function conversationArguments(modelChain: readonly string[]): ConversationArguments {
  return {
    model: modelArgument(modelChain).optional().describe(modelDescription),
    systemPrompt: deliverableText(1_000_000).min(1).optional().describe(systemPrompt),
    cwd: directoryArgument().optional().describe(descriptions.workingDirectory),
  };
}

function directoryArgument(): z.ZodString {
  return deliverableText(pathCharacters).min(1);
}

/**
 * The name of one model: of the chain, or any name in Google's format. Never `auto`, which would let the CLI choose, with one more
 * billed request and fallbacks that no one reports.
 */
export function modelArgument(modelChain: readonly string[]): z.ZodString {
  return z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, {
      abort: true,
      error: 'must be a model name: a to z, 0 to 9, ".", "_" and "-", 64 characters at most',
    })
    .refine((name) => name !== 'auto' && (/^(gemini|gemma)-/.test(name) || modelChain.includes(name)), {
      error: `must begin with gemini- or gemma- or be one of ${modelChain.join(', ')}; leave it out for these with fallback`,
    });
}

/** The description of the argument for clients. */
export const modelDescription: string = 'Such as gemini-3.8-flash; the best by default.';

const description = 'Return a handle for gemini_job.';

/** Whether the call returns at once and its job goes on. */
export function backgroundArgument(): z.ZodDefault<z.ZodBoolean> {
  return z.boolean().default(false).describe(description);
}

const opinionsDescription = 'Ask 2 or 3 models, and compare.';

/** How many models answer, each without the others' answers; one if missing. */
export function opinionsArgument(): z.ZodDefault<z.ZodInt> {
  return z.int().min(1).max(3).default(1).describe(opinionsDescription);
}

const undeliverable = 'must not contain NUL or half of a surrogate pair, which cannot be delivered as they are';

/** Text that can be delivered byte for byte; empty text is allowed. */
export function deliverableText(maxCharacters: number): z.ZodString {
  return z
    .string()
    .max(maxCharacters, { abort: true })
    .refine((text) => !/\0|\p{Cs}/u.test(text), { error: undeliverable });
}

/** Deliverable text that is not blank. */
export function meaningfulText(maxCharacters: number): z.ZodString {
  return deliverableText(maxCharacters)
    .min(1, { abort: true })
    .refine((text) => text.trim() !== '', { error: 'must not be blank' });
}

/** The question to Gemini. */
export function promptText(): z.ZodString {
  return meaningfulText(1_000_000);
}

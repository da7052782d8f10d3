import * as z from 'zod';

const count = z.int().min(0);

const codes = [
  'invalid-arguments',
  'outside-roots',
  'protected',
  'not-found',
  'changed-since-read',
  'no-match',
  'many-matches',
  'too-large',
  'refused-command',
  'needs-approval',
  'denied-by-user',
  'sandbox-unavailable',
  'timeout',
  'out-of-budget',
  'cancelled',
  'failed',
] as const;

const results = [
  'once',
  'run',
  'server',
  'always',
  'no',
  'dismissed',
  'timed-out',
  'invalid-answer',
  'cancelled',
  'failed',
  'cannot-ask',
  'too-many-questions',
  'lasting-approval',
] as const;

const change = z.object({
  path: z.string(),
  kind: z.enum(['created', 'modified', 'deleted']),
  diff: z.string().describe('Unified diff; a sentence in its place for binary content.'),
  addedLines: count,
  removedLines: count,
});

const coverage = z
  .union([z.object({ commands: z.literal(true) }), z.object({ commands: z.literal(false), reason: z.string() })])
  .describe('Whether what commands changed is known and can be undone.');

const unkept = z
  .object({
    count,
    first: z
      .array(z.object({ path: z.string(), count }))
      .describe('By path, 100 at most: a file, or a directory with its number of changed files and directories.'),
    scripts: z.array(z.string()).describe('Changed files that decide which programs run, such as for npm run.'),
  })
  .nullable()
  .describe('Changes of commands that gemini-undo does not revert, such as in node_modules.');

const end = z.discriminatedUnion('type', [
  z.object({ type: z.literal('exited'), exitCode: z.int() }),
  z.object({
    type: z.literal('stopped'),
    reason: z.enum(['timeout', 'memory', 'output', 'cancelled']),
    detail: z.string(),
  }),
]);

const command = z.object({ command: z.string(), end: end.nullable(), durationMs: z.number().min(0) });

const call = z.object({
  server: z.string(),
  tool: z.string(),
  subject: z.string().describe('Its arguments, as JSON that may be cut.'),
  summary: z.string().describe('Its fault; empty on success.'),
  durationMs: z.number().min(0),
});

const refusal = z.object({
  number: count,
  tool: z.string(),
  subject: z.string(),
  code: z.enum(codes),
  message: z.string(),
});

const question = z.object({ about: z.string(), reason: z.string(), result: z.enum(results), note: z.string() });

/** What a run with tools did. */
export const workSchema = z
  .object({
    runId: z.string().describe('For gemini-undo.'),
    mode: z.enum(['plan', 'edit', 'full']),
    durationMs: z.number().min(0),
    steps: count,
    tokens: count.describe('Estimated tokens that Gemini read.'),
    changes: z
      .object({ files: z.array(change), coverage, unkept })
      .nullable()
      .describe('Null if they could not be determined in time.'),
    commands: z.object({ first: z.array(command), count }).describe('end is null for one that was still running.'),
    calls: z.object({ first: z.array(call), count }).describe('Of tools of upstream servers.'),
    refusals: z.object({ first: z.array(refusal), count }).describe('Refused steps, with the reason.'),
    questions: z.array(question).describe('To the user, and permanent approvals that were used.'),
    overBudget: z.string().nullable().describe("The used part of the run's budget."),
    notes: z.array(z.string()),
  })
  .meta({ id: 'Work', description: 'What a run of gemini-agent did.' });

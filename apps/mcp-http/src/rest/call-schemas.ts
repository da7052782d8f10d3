import { leftOutTexts } from '@gemini-mcp/core';
import { choiceTexts } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { workSchema } from './work-schema.ts';

const count = z.int().min(0);

const uri = z.string();
const base64 = z.string().meta({ contentEncoding: 'base64' });
const mimeType = z.string();

const blockSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({ type: z.enum(['image', 'audio']), data: base64, mimeType }),
    z.object({
      type: z.literal('resource_link'),
      uri,
      name: z.string(),
      title: z.string().optional(),
      description: z.string().optional(),
      mimeType: mimeType.optional(),
      size: z.int().min(0).optional().describe('In bytes.'),
    }),
    z.object({
      type: z.literal('resource'),
      resource: z.union([
        z.object({ uri, mimeType: mimeType.optional(), text: z.string() }),
        z.object({ uri, mimeType: mimeType.optional(), blob: base64 }),
      ]),
    }),
  ])
  .meta({ id: 'Block', description: 'A part of a result in addition to its text, as MCP has them.' });

/** By which way a call or an attempt went. */
const handledBy = z
  .object({
    runner: z.string().describe('What carried it, by its name in the log.'),
    by: z.string().describe('What was asked, such as `Gemini API` or `Gemini CLI`.'),
    login: z.string().exactOptional().describe('With which login, where that is known.'),
    reason: z.enum(keysOf(choiceTexts)).describe('Why this way, as in the log.'),
  })
  .describe('By which way it went. Cost and terms differ by it.');

const attempts = z
  .array(
    z.object({
      model: z.string(),
      durationMs: z.number().min(0),
      failure: z.string().nullable().describe('Why it gave no answer, as in error.code; null for the one that did.'),
      handledBy: handledBy.exactOptional(),
    }),
  )
  .describe('What was tried, in order.');

const context = z
  .object({
    files: count.describe('Of which something was sent, media among them.'),
    media: count.describe('Images, PDFs, recordings and videos.'),
    bytes: count,
    workingDirectory: z.string().exactOptional().describe('Absolute: relative names are resolved from it.'),
    leftOut: z.array(
      z.object({
        path: z.string(),
        reason: z.enum(keysOf(leftOutTexts)),
        origin: z.enum(['file', 'glob', 'directory']),
        detail: z.string().exactOptional(),
      }),
    ),
    limits: z.object({
      maxFiles: count,
      maxBytes: count,
      maxCharacters: count,
      maxMediaBytes: count,
      maxTokens: count.exactOptional().describe('Where the tokens were counted to find what fits.'),
    }),
  })
  .describe('Which files were sent, and which were not and why. Only where files were named.');

const ending = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('complete') }),
    z.object({ type: z.literal('output-limit') }).meta({ description: 'The answer is cut.' }),
    z
      .object({ type: z.literal('unknown'), reason: z.string() })
      .meta({ description: 'The answer may be cut: the API gave a reason that this server does not know.' }),
  ])
  .describe('How the model ended the answer. Missing where that was not told.');

const sessionId = z.string().describe('The conversation, for chat-reply.');

const account = z
  .object({
    text: z.string().describe('The same in words, as an MCP client shows it.'),
    model: z.string().describe('The model that was asked last, by the name by which it was asked.'),
    usage: z
      .array(
        z.object({
          model: z.string(),
          inputTokens: count,
          outputTokens: count,
          thoughtTokens: count.exactOptional(),
          cachedTokens: count.exactOptional(),
          toolTokens: count.exactOptional(),
        }),
      )
      .describe(
        'Tokens, by the models that did the work; empty where none were reported. Thoughts, the part of the input that was cached, and what tools added to it are there where they are known.',
      ),
    attempts,
    context: context.exactOptional(),
    ending: ending.exactOptional(),
    modelVersion: z
      .string()
      .exactOptional()
      .describe('The model that answered, by the name that the API gave it; missing where that is not known.'),
    handledBy: handledBy.exactOptional(),
    pages: z
      .array(z.object({ url: z.string(), outcome: z.enum(['read', 'paywall', 'unsafe', 'failed', 'untold']) }))
      .exactOptional()
      .describe('What became of the pages in urls; untold where Google said nothing of one.'),
    notices: z.array(z.string()).exactOptional().describe('What a reader should know about how the answer came about.'),
    sessionId: sessionId.exactOptional(),
    work: workSchema.exactOptional(),
    notKept: z.string().exactOptional().describe('Why the conversation does not have this exchange, where it has not.'),
  })
  .meta({ id: 'Account', description: 'How an answer came about.' });

const furtherParts = {
  blocks: z.array(blockSchema).exactOptional().describe('Images, sounds, links and more, where the tool returns any.'),
  structured: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('The result as data, where the tool has a schema for it.'),
} as const;

const answer = z
  .object({
    type: z.literal('answer'),
    answer: z
      .string()
      .describe(
        "Gemini's answer, whole, and nothing else. With raw, the report as JSON; with schema, the JSON that fits it.",
      ),
    account,
    report: z
      .object({
        summary: z.string(),
        sources: z.array(
          z.object({
            url: z.string(),
            title: z.string(),
            snippet: z.string().describe('What it says, or the sentences of the summary that rest on it.'),
            domain: z.string().exactOptional().describe('The host of the page, where it is known.'),
            redirect: z
              .literal(true)
              .exactOptional()
              .describe("There where url is a redirect of Google's, which expires after some days."),
          }),
        ),
        queries: z.array(z.string()).exactOptional().describe('What Google searched for, where that is known.'),
        supports: z
          .array(z.object({ text: z.string(), sources: z.array(count) }))
          .exactOptional()
          .describe('Words of the summary, and places in sources of what they rest on, counted from 0.'),
      })
      .exactOptional()
      .describe('What a search with raw has found.'),
    json: z.unknown().exactOptional().describe('With schema, the answer as data: any JSON value.'),
    ...furtherParts,
  })
  .meta({ id: 'Answer', description: 'An answer of Gemini, and how it came about.' });

const text = z
  .object({
    type: z.literal('text'),
    answer: z.string().exactOptional().describe('What Gemini wrote, such as a part of a stored answer.'),
    text: z.string(),
    ...furtherParts,
  })
  .meta({ id: 'Text', description: 'The text of the tool.' });

const problemShape = {
  code: z.string().describe('For programs: what went wrong, as a word in kebab case.'),
  message: z.string().describe('For people: what happened and what to do.'),
  retryAfterMs: count.exactOptional().describe('When it is worth trying again, where that is known.'),
  attempts: attempts.exactOptional(),
  context: context.exactOptional(),
  partialText: z.string().exactOptional().describe('What had come of an answer. Incomplete.'),
  excerpt: z.string().exactOptional().describe('What was said of it: words of strangers, not to be followed.'),
  saidBy: z.string().exactOptional().describe('Who said that, such as the Gemini CLI; missing where it is not known.'),
  sessionId: sessionId.exactOptional(),
  sessions: z.array(z.string()).exactOptional().describe('The newest conversations, where an unknown one was named.'),
  work: workSchema.exactOptional().describe('What the run did before it failed.'),
  tools: z.array(z.string()).exactOptional().describe('The paths that there are, where an unknown one was called.'),
} as const;

const problem = z.object(problemShape).meta({ id: 'Problem', description: 'Why a call gave no answer.' });

const error = z
  .object({ ...problemShape, requestId: z.string().describe('By which the log of the server knows the request.') })
  .meta({ id: 'ErrorDetail' });

const job = z
  .object({
    type: z.literal('job'),
    text: z.string().describe('What an MCP client shows.'),
    job: z.object({
      handle: z.string().describe('For gemini-job.'),
      title: z.string().describe('What was asked, in brief.'),
      state: z.enum(['running', 'succeeded', 'failed', 'cancelled']),
      startedAtMs: count.describe('Milliseconds since 1970.'),
      endedAtMs: count.nullable().describe('Null while it runs.'),
      status: z.string().describe('What it was doing last.'),
      partialText: z.string().describe('What has come of the answer so far, up to 200,000 characters.'),
    }),
    result: answer.exactOptional().describe('Of a job that has succeeded.'),
    error: problem.exactOptional().describe('Of a job that has ended without an answer.'),
  })
  .meta({ id: 'Job', description: 'A call that goes on in the background.' });

const closing = z.enum(['Process exited with code 0', 'Process exited with code 1']);

const streamEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('stdout'), content: z.string() }).meta({ description: 'A piece of the answer.' }),
    z.object({ type: z.literal('stderr'), content: z.string(), account: account.exactOptional() }).meta({
      description:
        'News that is not part of the answer: waits and fallbacks; at its end, with account, how it came about.',
    }),
    z
      .object({ type: z.literal('restart'), content: z.string() })
      .meta({ description: 'The answer starts over: the pieces so far are not part of it.' }),
    z
      .object({ type: z.literal('block'), content: z.literal(''), block: blockSchema })
      .meta({ description: 'An image, a sound, a link or more, in addition to the answer.' }),
    z
      .object({ type: z.literal('error'), content: z.string(), error })
      .meta({ description: 'Why there is no answer: error as in the JSON of an error.' }),
    z
      .object({ type: z.literal('close'), content: closing })
      .meta({ description: 'The last event: code 0 after an answer, code 1 after an error.' }),
  ])
  .meta({ id: 'StreamEvent', description: 'The data of one event.' });

const errorBody = z.object({ error }).meta({ id: 'Error', description: 'Why a request was not answered.' });

export {
  answer as answerSchema,
  errorBody as errorSchema,
  job as jobSchema,
  streamEvent as streamEventSchema,
  text as textSchema,
};

/** As it is sent: made of values of the domain, which are read-only. */
type Sent<Value> = Value extends object ? { readonly [Key in keyof Value]: Sent<Value[Key]> } : Value;

export type Account = Sent<z.infer<typeof account>>;
export type AttemptBody = Account['attempts'][number];
export type AnswerBody = Sent<z.infer<typeof answer>>;
export type FurtherParts = Pick<AnswerBody, 'blocks' | 'structured'>;
export type JobBody = Sent<z.infer<typeof job>>;
/** What a call is answered with, unless it failed. */
export type CallBody = AnswerBody | Sent<z.infer<typeof text>> | JobBody;
export type Problem = Sent<z.infer<typeof problem>>;
export type ProblemBody = Sent<z.infer<typeof errorBody>>;
export type StreamEvent = Sent<z.infer<typeof streamEvent>>;

function keysOf<Key extends string>(table: Readonly<Record<Key, string>>): readonly Key[] {
  return Object.keys(table) as Key[];
}

import {
  type AnswerForm,
  type AnswerStore,
  type AskForJson,
  type AskGemini,
  type AskOpinions,
  type AskRequest,
  type FailureWords,
  formatAccount,
  type Jobs,
  type JsonResult,
  plainRunSettings,
  type ServersOfCall,
  type ThinkingLevel,
} from '@gemini-mcp/core';
import { escapeJson, titleOf } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { layoutFor, type ResultLayout } from '../content/result-layout.ts';
import type { Tool, ToolContext, ToolOutcome } from '../surface/tool.ts';
import {
  answerArguments,
  type CompiledForm,
  compileAnswerForm,
  type RunnerSkills,
  unlistedAnswerArguments,
} from './arguments/answer-arguments.ts';
import {
  type ContextArgumentsOptions,
  contextArguments,
  unlistedContextArguments,
} from './arguments/context-arguments.ts';
import { backgroundArgument, opinionsArgument, promptText } from './arguments/run-arguments.ts';
import { serversArgument } from './arguments/servers-argument.ts';
import { fitAlone, type LongTexts } from './fit-result.ts';
import { presentOpinions } from './opinions/present-opinions.ts';
import { describeAccountAsData, escapeAnswer } from './present-answer.ts';
import { type ClientFailureWords, failureWordsFor, presentFailure } from './present-failure.ts';
import { readServersArgument, type ServersOfCallOptions } from './servers-of-call.ts';
import { geminiQuery } from './tool-declarations.ts';
import { type AskWorkOptions, createAskWork, type Work, workInBackground, workInForeground } from './work.ts';

const description = `Ask Gemini, another model with a window of a million tokens, to read, search, explain, summarize, compare or \
analyze a large codebase, many or huge source files, logs, documents, PDFs, images, screenshots, audio or video; \
to check architecture or functions, find bugs or security problems, extract JSON; for code review, a second opinion or critique of a plan. \
The files that you name go to Google, and never enter your context. Gemini remembers and changes nothing.`;

const flexibleDescription = 'With background: half price, slow.';

const promptDescription = `The whole task: Gemini does not see your conversation.`;

export type GeminiQueryToolOptions = ContextArgumentsOptions &
  ServersOfCallOptions & {
    readonly askGemini: Pick<AskGemini, 'ask'>;
    readonly askForJson: Pick<AskForJson, 'ask'>;
    readonly askOpinions: Pick<AskOpinions, 'ask'>;
    readonly answers: AnswerStore;
    /** As in `ToolsOptions`. */
    readonly pageBytes?: number | null | undefined;
    readonly jobs: Jobs<ToolOutcome>;
    /** The runner's capabilities; none if missing. */
    readonly capabilities?: RunnerSkills | undefined;
    readonly failureWords?: ClientFailureWords | undefined;
  };

/** Creates the tool `gemini_query`: Gemini reads the named files and answers a prompt. */
export function createGeminiQueryTool(options: GeminiQueryToolOptions): Tool {
  const { capabilities = {} } = options;
  const input = z.strictObject({
    prompt: promptText().describe(promptDescription),
    ...contextArguments(options),
    ...answerArguments(),
    opinions: opinionsArgument(),
    servers: serversArgument(),
    background: backgroundArgument(),
    flexible: z.boolean().optional().describe(flexibleDescription),
  });
  const tool: Tool<typeof input> = {
    ...geminiQuery,
    description,
    input,
    listedAsText: ['schema'],
    structuresFreely: true,
    unlisted: [
      ...[...unlistedContextArguments, ...unlistedAnswerArguments(capabilities), 'servers'],
      ...(capabilities.flexibleTier === true ? [] : ['flexible']),
    ],
    run: async (args, context) => {
      const { chosenServers, refusal } = await readServersArgument(args.servers, options, context);
      return refusal ?? (await ask({ ...args, chosenServers }, options, context));
    },
  };
  return tool;
}

type QueryArgs = ContextArgs & {
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  readonly opinions: number;
  readonly servers?: readonly string[] | undefined;
  readonly background: boolean;
  readonly flexible?: boolean | undefined;
  readonly chosenServers: ServersOfCall | null;
};

async function ask(args: QueryArgs, options: GeminiQueryToolOptions, context: ToolContext): Promise<ToolOutcome> {
  const compiled = args.schema === undefined ? null : await compileAnswerForm(args.schema);
  const refusal = compiled?.isUsable === false ? refuseSchema(geminiQuery.name, compiled) : refuseCombination(args);
  if (refusal !== null) {
    return refusal;
  }
  const { owner, trace, origin } = context;
  const title = titleOf(args.prompt);
  const failureWords = failureWordsFor(options.failureWords, context);
  const request = {
    ...requestOf(args, options, owner),
    trace,
    origin,
    ...(args.chosenServers !== null && { servers: args.chosenServers }),
  };
  const layout = layoutFor(context.clientName, options.pageBytes);
  const asking = { ...options, failureWords, request, owner, title, layout };
  const form = compiled?.isUsable === true ? compiled.form : null;
  const work = createWork(asking, { form, opinions: args.opinions });
  const running = { jobs: options.jobs, title, work, failureWords };
  return args.background ? workInBackground(running, context) : workInForeground(running, context);
}

type AskingWorkOptions = Omit<AskWorkOptions, 'purpose'> & Pick<GeminiQueryToolOptions, 'askForJson' | 'askOpinions'>;

function createWork(
  asking: AskingWorkOptions,
  { form, opinions }: { readonly form: AnswerForm | null; readonly opinions: number },
): Work {
  if (form !== null) {
    return createJsonWork({ ...asking, form });
  }
  const { askOpinions, request } = asking;
  return opinions > 1
    ? async (onProgress, signal) =>
        presentOpinions(await askOpinions.ask(request, opinions, onProgress, signal), asking)
    : createAskWork({ ...asking, purpose: 'query' });
}

function requestOf(args: QueryArgs, options: GeminiQueryToolOptions, owner: string): AskRequest {
  const request = askRequestOf(args, options, owner);
  const { settings = plainRunSettings } = request;
  return args.flexible === true ? { ...request, settings: { ...settings, serviceTier: 'flexible' } } : request;
}

/**
 * Google's API accepts either a schema of answers or functions, not both. The flexible tier keeps a waiting caller for minutes. Several models would
 * each call the tools of servers, and JSON has no sentences to compare.
 */
function refuseCombination({ schema, servers = [], opinions, flexible, background }: QueryArgs): ToolOutcome | null {
  const problems = [
    ...(schema === undefined || servers.length === 0 ? [] : ['- servers: cannot be combined with schema']),
    ...(opinions > 1 && schema !== undefined ? ['- schema: cannot be combined with opinions'] : []),
    ...(opinions > 1 && servers.length > 0 ? ['- servers: cannot be combined with opinions'] : []),
    ...(flexible === true && !background ? ['- flexible: needs background: true'] : []),
  ];
  if (problems.length === 0) {
    return null;
  }
  const text = `Invalid arguments for ${geminiQuery.name}; nothing was done.\n${problems.join('\n')}`;
  return { text, isError: true, detail: { type: 'refused', reason: 'invalid-arguments' } };
}

/** Refuses a call whose schema cannot check any value. */
export function refuseSchema(
  tool: string,
  { problem }: Extract<CompiledForm, { readonly isUsable: false }>,
): ToolOutcome {
  const text = `Invalid arguments for ${tool}; nothing was done.\n- schema: ${problem}`;
  return { text, isError: true, detail: { type: 'refused', reason: 'invalid-arguments' } };
}

/** The arguments that gemini_query and gemini_context share. */
export type ContextArgs = {
  readonly prompt: string;
  readonly files: readonly string[];
  readonly glob_patterns: readonly string[];
  readonly directories: readonly string[];
  readonly model?: string | undefined;
  readonly timeout: number;
  readonly max_files: number;
  readonly max_bytes: number;
  readonly thinking?: ThinkingLevel | undefined;
  readonly urls?: readonly string[] | undefined;
};

/** The request that the arguments describe. */
export function askRequestOf(
  args: ContextArgs,
  { maxMediaBytes }: Pick<ContextArgumentsOptions, 'maxMediaBytes'>,
  owner: string,
): AskRequest {
  return {
    owner,
    prompt: args.prompt,
    files: args.files,
    globPatterns: args.glob_patterns,
    directories: args.directories,
    model: args.model ?? null,
    timeoutMs: args.timeout * 1_000,
    maxFiles: args.max_files,
    maxBytes: args.max_bytes,
    ...(maxMediaBytes !== undefined && { maxMediaBytes }),
    ...(args.urls !== undefined && { urls: args.urls }),
    ...(args.thinking !== undefined && { settings: { ...plainRunSettings, thinking: args.thinking } }),
  };
}

type JsonWorkOptions = {
  readonly askForJson: Pick<AskForJson, 'ask'>;
  readonly answers: AnswerStore;
  readonly request: AskRequest;
  readonly form: AnswerForm;
  readonly owner: string;
  /** The question on one line. */
  readonly title: string;
  readonly failureWords?: FailureWords | undefined;
  readonly layout: ResultLayout;
};

/** The work of asking Gemini for JSON: returns the JSON alone, or the failure. */
function createJsonWork({ askForJson, request, form, ...longTexts }: JsonWorkOptions): Work {
  return async (onProgress, signal) => {
    const result = await askForJson.ask(request, form, onProgress, signal);
    return result.ok
      ? presentJson(result, longTexts)
      : presentFailure(result.failed, { ...longTexts, purpose: 'query' });
  };
}

async function presentJson(
  { answer: asked, value }: Extract<JsonResult, { readonly ok: true }>,
  longTexts: LongTexts,
): Promise<ToolOutcome> {
  const json = escapeJson(asked.text);
  const answer = { ...(await escapeAnswer({ ...asked, text: '' })), text: json };
  return {
    ...(await fitAlone(json, longTexts)),
    isError: false,
    meta: describeAccountAsData(answer),
    detail: {
      type: 'answer',
      answer,
      account: formatAccount(answer, { words: longTexts.failureWords }),
      json: { value },
    },
  };
}

import type {
  AnswerStore,
  Clock,
  FileChange,
  Jobs,
  ServersOfCall,
  WorkAccount,
  WorkBudget,
  WorkMode,
  WorkOnTask,
  WorkRequest,
  WorkResult,
} from '@gemini-mcp/core';
import { escapeName, quoteStrangers, titleOf, workLines } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { layoutFor } from '../content/result-layout.ts';
import { ElicitingApprover } from '../questions/eliciting-approver.ts';
import { passOnQuestions } from '../questions/pass-on-questions.ts';
import type { Ask } from '../questions/question.ts';
import type { Tool, ToolAnnotations, ToolContext, ToolOutcome } from '../surface/tool.ts';
import {
  type ContextArgumentsOptions,
  contextArguments,
  unlistedContextArguments,
} from './arguments/context-arguments.ts';
import { backgroundArgument, deliverableText, promptText } from './arguments/run-arguments.ts';
import { serversArgument } from './arguments/servers-argument.ts';
import { fitPart, fitText, type LongTexts } from './fit-result.ts';
import { askRequestOf, type ContextArgs } from './gemini-query-tool.ts';
import { presentAnswer } from './present-answer.ts';
import { type ClientFailureWords, failureWordsFor, presentFailure } from './present-failure.ts';
import { type RunPolicy, refuseFiles } from './run-settings-of.ts';
import { readServersArgument, type ServersOfCallOptions } from './servers-of-call.ts';
import { geminiAgent } from './tool-declarations.ts';
import { type Work, workInBackground, workInForeground } from './work.ts';

/** What the operator lets Gemini do in a project. */
export type AgentPolicy = {
  readonly workOnTask: Pick<WorkOnTask, 'work'>;
  /** The most powerful mode that a caller may give a run. */
  readonly mode: WorkMode;
  /** Whether a caller may give commands the network. */
  readonly allowsNetwork: boolean;
  readonly budget: WorkBudget;
  readonly timeoutMs: number;
  /** Whether runs that may change something get all other servers if a caller names none; false if missing. */
  readonly lendsServers?: boolean;
};

export type GeminiAgentToolOptions = Omit<ContextArgumentsOptions, 'defaultTimeoutMs'> & {
  readonly agent: AgentPolicy;
  readonly answers: AnswerStore;
  /** As in `ToolsOptions`. */
  readonly pageBytes?: number | null | undefined;
  readonly jobs: Jobs<ToolOutcome>;
  readonly clock: Clock;
  readonly runPolicy: RunPolicy;
  readonly failureWords?: ClientFailureWords | undefined;
  readonly toolProviderFactory?: ServersOfCallOptions['toolProviderFactory'];
};

const description = `Delegate a task to Gemini as a subagent that works in your project: it may fix, implement, refactor, run tests and repair \
code. You get the answer, the diff and every command.`;

const taskDescription = 'The whole task, and how to check it.';

const directoryDescription = "The project; the server's directory by default.";

const serversDescription =
  'Names of other MCP servers whose tools Gemini may call; the user is asked about each call. All if left out, but none in plan mode.';

const networkDescription = 'Let commands reach the network.';

/** Weakest first. */
const modes = ['plan', 'edit', 'full'] as const;

const meanings: Readonly<Record<WorkMode, string>> = {
  plan: 'plan (default): reads only',
  edit: 'edit: changes files',
  full: 'full: runs commands too, in a sandbox',
};

/** Gemini finds the files by itself. */
const unlistedArguments = [
  ...['files', 'glob_patterns', 'directories', 'model', 'servers'],
  ...unlistedContextArguments,
] as const;

/** Creates the tool `gemini_agent`: Gemini works on a task in a project and the result lists what it did. */
export function createGeminiAgentTool(options: GeminiAgentToolOptions): Tool {
  const { agent } = options;
  const allowed = modes.slice(0, modes.indexOf(agent.mode) + 1);
  const context = contextArguments({ ...options, defaultTimeoutMs: agent.timeoutMs });
  const input = z.strictObject({
    task: promptText().describe(taskDescription),
    workingDirectory: deliverableText(4_096).min(1).optional().describe(directoryDescription),
    mode: z
      .enum(allowed)
      .default('plan')
      .describe(`${allowed.map((mode) => meanings[mode]).join('; ')}.`),
    ...context,
    network: z.boolean().default(false).describe(networkDescription),
    servers: serversArgument().describe(serversDescription),
    background: backgroundArgument(),
  });
  const tool: Tool<typeof input> = {
    ...geminiAgent,
    description,
    input,
    annotations: annotationsOf(agent),
    unlisted: [...unlistedArguments, ...(agent.allowsNetwork ? [] : ['network'])],
    run: async (args, context) => {
      const { chosenServers, refusal } = await readServersArgument(args.servers, options, context);
      return (
        refuseFiles(options.runPolicy) ??
        refuseNetwork(args, agent) ??
        refusal ??
        (await work({ ...args, chosenServers }, options, context))
      );
    },
  };
  return tool;
}

async function work(args: AgentArgs, options: GeminiAgentToolOptions, context: ToolContext): Promise<ToolOutcome> {
  const { agent, answers, jobs, clock } = options;
  const { owner, ask, trace, origin } = context;
  const title = titleOf(args.task);
  const failureWords = failureWordsFor(options.failureWords, context);
  const request = {
    ...requestOf(args, options),
    owner,
    trace,
    origin,
    ...serversFor(args, agent, ask),
    approver: new ElicitingApprover({ ask, clock }),
  };
  const working: Work = async (onProgress, signal) => {
    const result = await agent.workOnTask.work(request, onProgress, signal);
    return presentWork(result, {
      answers,
      owner,
      title,
      failureWords,
      layout: layoutFor(context.clientName, options.pageBytes),
    });
  };
  // A user who sees a failed call may work on in the project.
  const running = { jobs, title, work: working, failureWords, endsWithClient: args.mode !== 'plan' };
  return args.background ? workInBackground(running, context) : workInForeground(running, context);
}

/** A run that changes nothing needs no more consent than a question. */
function annotationsOf({ mode }: AgentPolicy): ToolAnnotations {
  const { annotations } = geminiAgent;
  return mode === 'plan' ? { ...annotations, readOnlyHint: true, destructiveHint: false } : annotations;
}

function refuseNetwork({ network }: { readonly network: boolean }, { allowsNetwork }: AgentPolicy): ToolOutcome | null {
  if (!network || allowsNetwork) {
    return null;
  }
  const text =
    'Not started: the network is not allowed on this server. Call again without it. The operator of the server can allow it with ' +
    'GEMINI_MCP_AGENT=network.';
  return { text, isError: true, detail: { type: 'refused', reason: 'not-allowed' } };
}

/** A plan must not change anything, and tools of other servers may. */
function serversFor(
  { servers, mode, chosenServers }: AgentArgs,
  { lendsServers = false }: AgentPolicy,
  ask: Ask,
): Pick<WorkRequest, 'servers'> {
  if (chosenServers !== null) {
    return { servers: chosenServers };
  }
  return servers === undefined && mode !== 'plan' && lendsServers
    ? { servers: { names: null, questions: passOnQuestions(ask) } }
    : {};
}

type AgentArgs = Omit<ContextArgs, 'prompt'> & {
  readonly task: string;
  readonly workingDirectory?: string | undefined;
  readonly mode: WorkMode;
  readonly network: boolean;
  readonly servers?: readonly string[] | undefined;
  readonly background: boolean;
  readonly chosenServers: ServersOfCall | null;
};

function requestOf(
  args: AgentArgs,
  options: Pick<GeminiAgentToolOptions, 'agent' | 'runPolicy' | 'maxMediaBytes'>,
): Omit<WorkRequest, 'owner' | 'approver' | 'servers'> {
  const { agent, runPolicy } = options;
  const {
    owner: _owner,
    prompt: task,
    settings: _settings,
    servers: _servers,
    ...context
  } = askRequestOf({ ...args, prompt: args.task }, options, '');
  const workingDirectory = runPolicy.resolveDirectory(args.workingDirectory ?? null);
  return {
    ...(args.workingDirectory === undefined ? context : namesBelow(workingDirectory, context)),
    task,
    workingDirectory,
    roots: runPolicy.roots ?? [runPolicy.resolveDirectory(null)],
    mode: args.mode,
    network: args.network,
    budget: agent.budget,
  };
}

/** Limits the diff in a result: gemini_read reads the rest. */
const maxDiffBytes = 10_000;

/** In this server's namespace, as the protocol requires for names in `_meta`. */
const workKey = 'gemini-mcp-server/work';

/** The outcome of a run with tools: its answer or its failure, and in either case its actions. */
async function presentWork(result: WorkResult, longTexts: LongTexts): Promise<ToolOutcome> {
  if (result.type === 'refused') {
    const { message, hint } = result.refusal;
    const text = `Not started: ${escapeName(message)}${hint === '' ? '' : ` ${escapeName(hint)}`}`;
    return { text, isError: true, detail: { type: 'refused', reason: 'not-allowed' } };
  }
  const { account: work } = result;
  const lines = [...workLines(work), ...(await diffLines(work, longTexts))];
  if (result.type === 'failed') {
    const failure = await presentFailure(result.failed, { ...longTexts, purpose: 'query' });
    const text = await fitText([failure.text, '', ...lines].join('\n'), longTexts);
    return { ...failure, text, meta: workMeta(work), detail: { ...failure.detail, work } };
  }
  const answered = await presentAnswer(result.answer, { ...longTexts, extraLines: lines });
  return {
    ...answered,
    meta: { ...answered.meta, ...workMeta(work) },
    detail: { ...answered.detail, work },
  };
}

async function diffLines({ changes, runId }: WorkAccount, longTexts: LongTexts): Promise<readonly string[]> {
  const files = changes?.files ?? [];
  if (files.length === 0) {
    return [];
  }
  const diff = quoteStrangers(files.map(diffOf).join('\n'));
  return ['Diff:', await fitPart(diff, maxDiffBytes, { ...longTexts, title: `diff of run ${runId}` })];
}

function diffOf({ diff }: FileChange): string {
  return diff.replace(/\n$/, '');
}

/** For programs. */
function workMeta({ changes, notes: _, ...work }: WorkAccount): Readonly<Record<string, unknown>> {
  const files = changes?.files.map(({ diff: _diff, ...file }) => file) ?? null;
  return { [workKey]: { ...work, changes: files } };
}

/** Names of files, patterns and directories as a caller gives them. */
type NamedContext = {
  readonly files: readonly string[];
  readonly globPatterns: readonly string[];
  readonly directories: readonly string[];
};

/** The beginning of a name that is not relative: a root, a drive, a share. */
const absolute = /^(?:[\\/]|[a-z]:[\\/])/i;

/** Pattern characters, which a directory may have in its name. */
const signs = /[\\*?[\]{}()!+@|]/g;

/** The same names, with relative ones resolved from a directory. */
export function namesBelow<Context extends NamedContext>(directory: string, context: Context): Context {
  const base = directory.replace(/[\\/]+$/, '');
  const below = (start: string) => (name: string) => (absolute.test(name) ? name : `${start}/${name}`);
  return {
    ...context,
    files: context.files.map(below(base)),
    directories: context.directories.map(below(base)),
    globPatterns: context.globPatterns.map(below(base.replace(signs, '\\$&'))),
  };
}

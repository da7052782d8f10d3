import { linkedAbort } from '../agent/linked-abort.ts';
import type { WorkBudget } from '../agent/work-budget.ts';
import { WorkLog } from '../agent/work-log.ts';
import type { ProjectToLend } from '../agent/work-request.ts';
import type { AskRequest } from '../ask-gemini/ask-request.ts';
import { type AskResult, failBeforeRun } from '../ask-gemini/ask-result.ts';
import { failureReason } from '../failure/failure-reason.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import { lookingInstruction } from '../instruction/looking-instruction.ts';
import type { Clock } from '../ports/clock.ts';
import type { Executor } from '../ports/executor.ts';
import { type CallDirectory, type GeminiRunner, plainRunSettings } from '../ports/gemini-runner.ts';
import type { ToolSource } from '../ports/tool-source.ts';
import type { StepRefusal } from '../ports/workspace-steps.ts';

export type LentDirectoriesOptions = {
  readonly clock: Clock;
  readonly runner: GeminiRunner;
  readonly executor: Pick<Executor, 'open'>;
  /** As `WorkspaceOptions.runId` has to be, each time another one. */
  readonly createRunId: () => string;
  /** Names the directory that is at a path now, which another one there later does not share; null where that is not known. Never rejects. */
  readonly identify: (directory: string) => Promise<string | null>;
  /** Makes the tools by which Gemini looks into a directory. */
  readonly lendProject: (project: ProjectToLend) => Promise<ToolSource>;
  /** Names the resource that the system lacks, in words for a user, where an error of the above means that; null for any other error. */
  readonly shortageOf: (error: unknown) => string | null;
  readonly budget: WorkBudget;
};

/** A question without the directory that it names, and how it is asked. */
type Looking = {
  readonly request: AskRequest;
  readonly directory: CallDirectory;
  readonly ask: AskOnce;
};

type LookedInto = Pick<ProjectToLend, 'workspace' | 'reach'>;

/** Asks a question as it is given. */
export type AskOnce = (request: AskRequest, signal: AbortSignal) => Promise<AskResult>;

/** Lets Gemini look into the directory that a question names, by tools that each runner lends alike. */
export class LentDirectories {
  readonly #options: LentDirectoriesOptions;

  constructor(options: LentDirectoriesOptions) {
    this.#options = options;
  }

  /**
   * Asks with the tools for the directory; as it was where the question names none, or is to work on it with all tools. A directory
   * that is optional and cannot be looked into is left out, which a notice of the answer tells. What is opened is closed whatever
   * becomes of the question.
   */
  async ask(request: AskRequest, ask: AskOnce, signal: AbortSignal): Promise<AskResult> {
    const { directory, ...asking } = request;
    const { settings = plainRunSettings } = request;
    if (directory === undefined || settings.tools === 'everything') {
      return await ask(request, signal);
    }
    const looking = { request: asking, directory, ask };
    if (settings.sandbox) {
      return await askWithout(looking, { kind: 'directory-refused', detail: inContainer }, signal);
    }
    return this.#options.runner.capabilities.lendsTools === true
      ? await this.#askIn(looking, signal)
      : await askWithout(looking, { kind: 'unsupported', feature: 'directory' }, signal);
  }

  async #askIn(looking: Looking, signal: AbortSignal): Promise<AskResult> {
    const { executor, createRunId, identify } = this.#options;
    const { request, directory } = looking;
    const { path, roots = [path] } = directory;
    const place = { owner: request.owner ?? '', workingDirectory: path, roots };
    const identity = await identify(path);
    const opened = await executor.open({ ...place, runId: createRunId(), mode: 'plan', network: false }, signal);
    if (!opened.ok) {
      const { code, message } = opened.refusal;
      return code === 'cancelled'
        ? { ok: false, failed: failBeforeRun(request, { kind: 'cancelled' }) }
        : await askWithout(looking, { kind: 'directory-refused', detail: message }, signal);
    }
    const ending = linkedAbort(signal);
    try {
      const project = {
        workspace: opened.value,
        ...(identity !== null && { reach: JSON.stringify([identity, roots]) }),
      };
      return await this.#askLending(looking, project, ending);
    } finally {
      ending.release();
      await opened.value.close();
    }
  }

  async #askLending(
    { request, ask }: Looking,
    project: LookedInto,
    { signal, abort }: Pick<ReturnType<typeof linkedAbort>, 'signal' | 'abort'>,
  ): Promise<AskResult> {
    const { clock, budget } = this.#options;
    const log = new WorkLog({ clock, budget, onExhausted: abort });
    log.exchanged(request.prompt.length);
    const source = await this.#lend(project, log);
    if (typeof source === 'string') {
      return { ok: false, failed: failBeforeRun(request, { kind: 'resources-exhausted', detail: source }) };
    }
    const { settings = plainRunSettings, toolSources = [] } = request;
    const lending = {
      ...request,
      settings: { ...settings, systemPrompt: settings.systemPrompt ?? lookingInstruction },
      toolSources: [...toolSources, source],
    };
    return endedByBudget(await ask(lending, signal), log.account.overBudget);
  }

  /** Resolves to the words on a shortage of the system, where there can be no tools for that. */
  async #lend(project: LookedInto, log: WorkLog): Promise<ToolSource | string> {
    const { lendProject, shortageOf } = this.#options;
    try {
      return await lendProject({ ...project, mode: 'plan', runsCommands: false, rules: [], askUser: refuse, log });
    } catch (error) {
      const shortage = shortageOf(error);
      if (shortage === null) {
        throw error;
      }
      return shortage;
    }
  }
}

const inContainer = 'The tools that look into a directory are not available in a sandbox.';

async function askWithout(
  { request, directory, ask }: Looking,
  failure: GeminiFailure,
  signal: AbortSignal,
): Promise<AskResult> {
  if (!directory.isOptional) {
    return { ok: false, failed: failBeforeRun(request, failure) };
  }
  const asked = await ask(request, signal);
  const why = failure.kind === 'directory-refused' ? failure.detail : `${failureReason(failure)}.`;
  const notice = `Gemini could not look into the working directory: ${why}`;
  return asked.ok
    ? { ok: true, answer: { ...asked.answer, notices: [notice, ...(asked.answer.notices ?? [])] } }
    : asked;
}

/** A question that its budget has ended was cancelled by us alone. */
function endedByBudget(asked: AskResult, overBudget: string | null): AskResult {
  const isOurs = !asked.ok && asked.failed.failure.kind === 'cancelled' && overBudget !== null;
  return isOurs ? { ok: false, failed: { ...asked.failed, failure: { kind: 'turn-limit', excerpt: '' } } } : asked;
}

/** No tool that only looks asks for anything. */
async function refuse(): Promise<StepRefusal> {
  return { code: 'needs-approval', message: 'Nothing is allowed here but to look.', hint: '', retriable: false };
}

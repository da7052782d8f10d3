import { linkedAbort } from '../agent/linked-abort.ts';
import type { WorkBudget } from '../agent/work-budget.ts';
import { WorkLog } from '../agent/work-log.ts';
import type { ProjectToLend } from '../agent/work-request.ts';
import type { AskRequest } from '../ask-gemini/ask-request.ts';
import type { AskResult } from '../ask-gemini/ask-result.ts';
import { capabilitiesFor } from '../ask-gemini/capabilities-for.ts';
import { failBeforeRun } from '../ask-gemini/fail-before-run.ts';
import { lookingInstruction } from '../instruction/looking-instruction.ts';
import type { Clock } from '../ports/clock.ts';
import type { Executor } from '../ports/executor.ts';
import type { GeminiRunner, RunSettings } from '../ports/gemini-runner.ts';
import type { ToolSource } from '../ports/tool-source.ts';
import type { StepRefusal } from '../ports/workspace-steps.ts';

export type LentDirectoriesOptions = {
  readonly clock: Clock;
  readonly runner: GeminiRunner;
  readonly executor: Pick<Executor, 'open'>;
  /** As `WorkspaceOptions.runId` has to be, each time another one. */
  readonly createRunId: () => string;
  /** Whether a runner that can work in this directory itself is to do so. Never rejects. */
  readonly isTrusted: (directory: string) => Promise<boolean>;
  /** Names the directory that is at a path now, which another one there later does not share; null where that is not known. Never rejects. */
  readonly identify: (directory: string) => Promise<string | null>;
  /** Makes the tools by which Gemini looks into a directory. */
  readonly lendProject: (project: ProjectToLend) => Promise<ToolSource>;
  /** Names the resource that the system lacks, in words for a user, where an error of the above means that; null for any other error. */
  readonly shortageOf: (error: unknown) => string | null;
  readonly budget: WorkBudget;
};

/** A question that names a directory, and how it is asked. */
type Looking = {
  readonly request: AskRequest;
  readonly settings: RunSettings;
  readonly directory: string;
  readonly ask: AskOnce;
};

type LookedInto = Pick<ProjectToLend, 'workspace' | 'reach'>;

/** Asks a question as it is given. */
export type AskOnce = (request: AskRequest, signal: AbortSignal) => Promise<AskResult>;

/**
 * Lets Gemini look into the directory that a question names (`read-only`), by tools that each runner lends alike, in place of
 * a directory that the runner would have to give it.
 */
export class LentDirectories {
  readonly #options: LentDirectoriesOptions;

  constructor(options: LentDirectoriesOptions) {
    this.#options = options;
  }

  /**
   * Asks with the tools for the directory, and as it was where there is none to lend: the question names none, wants other tools, a
   * container or a trusted directory (and is lent nothing else), or no runner lends tools. A directory that is optional and cannot be opened is left out, which a
   * notice of the answer tells. What is opened is closed whatever becomes of the question.
   */
  async ask(request: AskRequest, ask: AskOnce, signal: AbortSignal): Promise<AskResult> {
    const { settings } = request;
    const directory = settings === undefined ? null : directoryToLend(settings);
    if (settings === undefined || directory === null || !(await this.#lends(request, directory))) {
      return await ask(request, signal);
    }
    return await this.#askIn({ request, settings, directory, ask }, signal);
  }

  async #lends(request: AskRequest, directory: string): Promise<boolean> {
    const { runner, isTrusted } = this.#options;
    if (runner.capabilities.lendsTools !== true) {
      return false;
    }
    // A run that lends tools can be given no directory.
    const canBeGiven = (request.toolSources ?? []).length === 0;
    return !(
      canBeGiven &&
      (await isTrusted(directory)) &&
      capabilitiesFor(runner, request).tools.includes('read-only')
    );
  }

  async #askIn({ request, settings, directory, ask }: Looking, signal: AbortSignal): Promise<AskResult> {
    const { executor, createRunId, identify } = this.#options;
    const { owner = '' } = request;
    const roots = settings.roots ?? [directory];
    const place = { owner, workingDirectory: directory, roots };
    const identity = await identify(directory);
    const opened = await executor.open({ ...place, runId: createRunId(), mode: 'plan', network: false }, signal);
    if (!opened.ok) {
      return await askWithout({ request, settings, directory, ask }, opened.refusal, signal);
    }
    const ending = linkedAbort(signal);
    try {
      const project = {
        workspace: opened.value,
        ...(identity !== null && { reach: JSON.stringify([identity, roots]) }),
      };
      return await this.#askLending({ request, settings, directory, ask }, project, ending);
    } finally {
      ending.release();
      await opened.value.close();
    }
  }

  async #askLending(
    { request, settings, ask }: Looking,
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
    const systemPrompt = settings.systemPrompt ?? lookingInstruction;
    const lending = {
      ...request,
      settings: { ...withoutDirectory(settings), systemPrompt },
      toolSources: [...(request.toolSources ?? []), source],
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

/** Null where nothing is to be looked into by lent tools: what else a run may do is done by the CLI's own. */
function directoryToLend({ tools, directory, sandbox }: RunSettings): string | null {
  return tools === 'read-only' && !sandbox ? directory : null;
}

function withoutDirectory(settings: RunSettings): RunSettings {
  return { ...settings, tools: 'none', directory: null, directoryIsOptional: false };
}

async function askWithout(
  { request, settings, ask }: Looking,
  { code, message }: StepRefusal,
  signal: AbortSignal,
): Promise<AskResult> {
  if (code === 'cancelled') {
    return { ok: false, failed: failBeforeRun(request, { kind: 'cancelled' }) };
  }
  if (!settings.directoryIsOptional) {
    return { ok: false, failed: failBeforeRun(request, { kind: 'directory-refused', detail: message }) };
  }
  const asked = await ask({ ...request, settings: withoutDirectory(settings) }, signal);
  const notice = `Gemini could not look into the working directory: ${message}`;
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

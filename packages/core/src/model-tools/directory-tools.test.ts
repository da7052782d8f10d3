import { describe, expect, it } from 'vitest';
import type { AskResult } from '../answers/ask-result.ts';
import { AskGemini } from '../ask-gemini/ask-gemini.ts';
import { type AskRequest, withoutFiles } from '../ask-gemini/ask-request.ts';
import type { CallDirectory } from '../ports/gemini-runner/run-request.ts';
import { plainRunSettings, type RunSettings } from '../ports/gemini-runner/run-settings.ts';
import type { Workspace } from '../ports/workspace/workspace.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakeExecutor } from '../testing/fake-executor.ts';
import { InMemoryContextResolver } from '../testing/in-memory-context-resolver.ts';
import { ScriptedGeminiRunner, type ScriptedGeminiRunnerOptions } from '../testing/scripted-gemini-runner.ts';
import type { ScriptedRun } from '../testing/scripted-run.ts';
import { ScriptedToolProvider } from '../testing/scripted-tool-provider.ts';
import { DirectoryTools, lookingInstruction } from './directory-tools.ts';

const view = { name: 'view', description: '', inputSchema: { type: 'object' }, changes: false };

const project: CallDirectory = { path: '/project', isOptional: false, roots: ['/project'] };

type SceneOptions = Partial<Pick<ScriptedGeminiRunnerOptions, 'capabilities'>> & {
  readonly run?: ScriptedRun;
  readonly maxSteps?: number;
  /** Why there can be no tools. */
  readonly fault?: Error;
};

/** Questions about `/project`, which contains `a.txt`. */
class Scene {
  readonly clock = new FakeClock();
  readonly runner: ScriptedGeminiRunner;
  readonly workspaces: Workspace[] = [];
  readonly told: string[] = [];
  readonly reaches: (string | undefined)[] = [];
  /** Another one is another directory at the same path. */
  generation = 1;
  readonly #askGemini: AskGemini;
  #runs = 0;

  constructor({ run = { chunks: ['Because.'] }, maxSteps = 9, capabilities = {}, fault }: SceneOptions = {}) {
    const { clock } = this;
    const runner = new ScriptedGeminiRunner({ clock, capabilities, script: () => run });
    this.runner = runner;
    const directoryTools = new DirectoryTools({
      clock,
      runner,
      executor: new FakeExecutor({ tree: { 'a.txt': 'alpha\n', 'docs/b.txt': 'beta\n' } }),
      createRunId: () => {
        this.#runs += 1;
        return `run${this.#runs}`;
      },
      identify: async (directory) => (directory === '/project' ? `${directory} ${this.generation}` : null),
      shortageOf: (error) => (error instanceof RangeError ? error.message : null),
      budget: { maxSteps, maxTokens: 1_000_000, maxWrittenBytes: 0 },
      provideProjectTools: async ({ workspace, log, reach }) => {
        this.workspaces.push(workspace);
        this.reaches.push(reach);
        if (fault !== undefined) {
          throw fault;
        }
        return new ScriptedToolProvider({
          tools: [view],
          answer: async (_, signal) => {
            const step = log.begin({ tool: 'view', subject: 'a', changes: false, takesLong: false, writtenBytes: 0 });
            const seen = await workspace.viewFile({ path: 'a.txt' }, signal);
            const text = 'code' in step ? `Refused: ${step.message}` : seen.ok ? seen.value.text : seen.refusal.message;
            this.told.push(text);
            return { text, data: {}, isDone: seen.ok };
          },
        });
      },
    });
    this.#askGemini = new AskGemini({
      clock,
      resolver: new InMemoryContextResolver({ tree: {}, clock }),
      runner,
      modelChain: ['pro'],
      random: () => 0,
      boundaryOf: () => 'b0',
      toolAttachers: [directoryTools],
    });
  }

  ask(directory: CallDirectory, known: Partial<AskRequest> = {}, signal = new AbortController().signal) {
    return this.askPlainly({ directory, ...known }, signal);
  }

  askPlainly(known: Partial<AskRequest> = {}, signal = new AbortController().signal) {
    const request = { ...withoutFiles, prompt: 'Why?', model: null, timeoutMs: 60_000, ...known };
    return this.#askGemini.ask(request, () => undefined, signal);
  }

  /** Whether each workspace that was opened has been closed. */
  async closed(): Promise<readonly boolean[]> {
    const never = new AbortController().signal;
    const request = { path: 'a.txt' };
    return Promise.all(this.workspaces.map(async (each) => !(await each.viewFile(request, never)).ok));
  }
}

const calls = (count: number): ScriptedRun => ({
  toolSession: { rounds: Array.from({ length: count }, () => [{ name: 'view', arguments: {} }]) },
  chunks: ['Because.'],
});

function failureOf(result: AskResult) {
  return result.ok ? null : result.failed.failure;
}

describe('a question that names a directory', () => {
  it('lends tools for it, and gives no directory to the runner', async () => {
    const scene = new Scene({ run: calls(1) });
    expect(await scene.ask(project)).toMatchObject({ ok: true, answer: { text: 'Because.' } });
    const [{ settings, directory, toolProviders } = {}] = scene.runner.requests;
    expect(settings).toEqual({ ...plainRunSettings, systemPrompt: lookingInstruction });
    expect(directory).toBeUndefined();
    expect(toolProviders).toHaveLength(1);
    expect(scene.told).toEqual(['alpha\n']);
    expect(await scene.closed()).toEqual([true]);
  });

  it('derives the cache key of the tools from the current directory and its roots', async () => {
    const scene = new Scene();
    await scene.ask(project);
    await scene.ask(project);
    scene.generation = 2;
    await scene.ask(project);
    await scene.ask({ ...project, roots: ['/project', '/project/docs'] });
    await scene.ask({ ...project, path: '/project/docs' });
    const [first, again, ...others] = scene.reaches;
    expect([first, again]).toEqual(['["/project 1",["/project"]]', first]);
    expect(others).toEqual(['["/project 2",["/project"]]', '["/project 2",["/project","/project/docs"]]', undefined]);
  });

  it('keeps the system prompt of the caller, and the tools that it lends itself', async () => {
    const scene = new Scene();
    const own = new ScriptedToolProvider({ tools: [{ ...view, name: 'own' }] });
    await scene.ask(project, { settings: { ...plainRunSettings, systemPrompt: 'Be brief.' }, toolProviders: [own] });
    const [{ settings, toolProviders } = {}] = scene.runner.requests;
    expect(settings?.systemPrompt).toBe('Be brief.');
    expect(toolProviders?.[0]).toBe(own);
    expect(toolProviders).toHaveLength(2);
  });

  it.each<[string, ScriptedRun]>([
    ['fails', { failure: { kind: 'blocked', what: 'answer', excerpt: '' } }],
    ['was given up', { hangs: true }],
  ])('closes what it opened where the run %s', async (_, run) => {
    const scene = new Scene({ run });
    const given = new AbortController();
    const asked = scene.ask(project, {}, given.signal);
    await scene.clock.advance(1);
    expect(scene.workspaces).toHaveLength(1);
    given.abort();
    expect(failureOf(await asked)).not.toBeNull();
    expect(await scene.closed()).toEqual([true]);
  });

  it('is refused before any run where the directory cannot be opened', async () => {
    const scene = new Scene();
    for (const path of ['/project/nowhere', '/elsewhere', '/project/a.txt']) {
      const result = await scene.ask({ ...project, path });
      expect(failureOf(result)).toMatchObject({
        kind: 'directory-refused',
        detail: expect.stringContaining(path),
      });
    }
    expect(scene.runner.requests).toEqual([]);
  });

  it('goes on without a directory that is optional and cannot be opened, and says so', async () => {
    const scene = new Scene();
    const result = await scene.ask({ ...project, path: '/project/nowhere', isOptional: true });
    const notice = 'Gemini could not look into the working directory: /project/nowhere does not exist.';
    expect(result).toMatchObject({ ok: true, answer: { notices: [notice] } });
    expect(scene.runner.requests).toMatchObject([{ input: 'Why?' }]);
    expect(scene.runner.requests[0]).not.toHaveProperty('directory');
    expect(scene.runner.requests[0]).not.toHaveProperty('toolProviders');
  });

  it('is cancelled if it was aborted before the directory was open', async () => {
    const scene = new Scene();
    const result = await scene.ask({ ...project, isOptional: true }, {}, AbortSignal.abort());
    expect(failureOf(result)).toEqual({ kind: 'cancelled' });
    expect(scene.runner.requests).toEqual([]);
  });

  it('ends by its budget, and says that this was why', async () => {
    const scene = new Scene({ run: calls(20), maxSteps: 2 });
    expect(failureOf(await scene.ask(project))).toEqual({ kind: 'turn-limit', excerpt: '' });
    expect(scene.told.filter((told) => told.startsWith('Refused: '))).toHaveLength(8);
    expect(await scene.closed()).toEqual([true]);
  });
});

describe('a question for whose directory there can be no tools', () => {
  it('names the resource that the system lacks', async () => {
    const scene = new Scene({ fault: new RangeError('No descriptors.') });
    expect(failureOf(await scene.ask(project))).toEqual({ kind: 'resources-exhausted', detail: 'No descriptors.' });
    expect(await scene.closed()).toEqual([true]);
  });

  it('hides no fault of the program', async () => {
    const scene = new Scene({ fault: new Error('A bug') });
    await expect(scene.ask(project)).rejects.toThrow('A bug');
    expect(await scene.closed()).toEqual([true]);
  });
});

describe('a question whose directory no tools can reach', () => {
  const inSandbox: RunSettings = { ...plainRunSettings, sandbox: true };

  it.each<[string, SceneOptions, Partial<AskRequest>, string, string]>([
    ['because it wants a container', {}, { settings: inSandbox }, 'directory-refused', 'not available in a sandbox.'],
    ['because no runner lends tools', { capabilities: { offersTools: false } }, {}, 'unsupported', 'read a directory.'],
  ])('is refused, or goes on without and says so: %s', async (_, options, known, kind, words) => {
    const scene = new Scene(options);
    expect(failureOf(await scene.ask(project, known))).toMatchObject({ kind });
    expect(scene.runner.requests).toEqual([]);
    const notice = expect.stringMatching(new RegExp(`^Gemini could not look into the working directory: .*${words}$`));
    expect(await scene.ask({ ...project, isOptional: true }, known)).toMatchObject({
      ok: true,
      answer: { notices: [notice] },
    });
    expect(scene.runner.requests[0]).not.toHaveProperty('directory');
    expect(scene.workspaces).toEqual([]);
  });
});

it('leaves a directory that is to be worked on with all tools to the runner', async () => {
  const scene = new Scene();
  const settings: RunSettings = { ...plainRunSettings, tools: 'everything', sandbox: true };
  expect(await scene.ask(project, { settings })).toMatchObject({ ok: true });
  expect(scene.runner.requests).toMatchObject([{ settings, directory: project }]);
  expect(scene.workspaces).toEqual([]);
});

it('leaves a question without a directory as it is', async () => {
  const scene = new Scene();
  await scene.askPlainly();
  expect(scene.runner.requests[0]).not.toHaveProperty('toolProviders');
  expect(scene.workspaces).toEqual([]);
});

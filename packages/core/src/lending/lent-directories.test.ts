import { describe, expect, it } from 'vitest';
import { AskGemini } from '../ask-gemini/ask-gemini.ts';
import type { AskRequest } from '../ask-gemini/ask-request.ts';
import type { AskResult } from '../ask-gemini/ask-result.ts';
import { withoutFiles } from '../ask-gemini/without-files.ts';
import { lookingInstruction } from '../instruction/looking-instruction.ts';
import type { Workspace } from '../ports/executor.ts';
import { plainRunSettings, type RunSettings } from '../ports/gemini-runner.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakeExecutor } from '../testing/fake-executor.ts';
import { InMemoryContextResolver } from '../testing/in-memory-context-resolver.ts';
import { ScriptedGeminiRunner, type ScriptedGeminiRunnerOptions } from '../testing/scripted-gemini-runner.ts';
import type { ScriptedRun } from '../testing/scripted-run.ts';
import { ScriptedToolSource } from '../testing/scripted-tool-source.ts';
import { LentDirectories } from './lent-directories.ts';

const view = { name: 'view', description: '', inputSchema: { type: 'object' }, changes: false };

const looking: RunSettings = { ...plainRunSettings, tools: 'read-only', directory: '/project', roots: ['/project'] };

type SceneOptions = Partial<Pick<ScriptedGeminiRunnerOptions, 'capabilities'>> & {
  readonly run?: ScriptedRun;
  readonly trusted?: readonly string[];
  readonly maxSteps?: number;
  /** Why there can be no tools. */
  readonly fault?: Error;
};

/** Questions about `/project`, in which there is `a.txt`. */
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

  constructor({
    run = { chunks: ['Because.'] },
    trusted = [],
    maxSteps = 9,
    capabilities = {},
    fault,
  }: SceneOptions = {}) {
    const { clock } = this;
    const runner = new ScriptedGeminiRunner({ clock, capabilities, script: () => run });
    this.runner = runner;
    const lentDirectories = new LentDirectories({
      clock,
      runner,
      executor: new FakeExecutor({ tree: { 'a.txt': 'alpha\n', 'docs/b.txt': 'beta\n' } }),
      createRunId: () => {
        this.#runs += 1;
        return `run${this.#runs}`;
      },
      isTrusted: async (directory) => trusted.includes(directory),
      identify: async (directory) => (directory === '/project' ? `${directory} ${this.generation}` : null),
      shortageOf: (error) => (error instanceof RangeError ? error.message : null),
      budget: { maxSteps, maxTokens: 1_000_000, maxWrittenBytes: 0 },
      lendProject: async ({ workspace, log, reach }) => {
        this.workspaces.push(workspace);
        this.reaches.push(reach);
        if (fault !== undefined) {
          throw fault;
        }
        return new ScriptedToolSource({
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
      lentDirectories,
    });
  }

  ask(settings: RunSettings, known: Partial<AskRequest> = {}, signal = new AbortController().signal) {
    const request = { ...withoutFiles, prompt: 'Why?', model: null, timeoutMs: 60_000, settings, ...known };
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
  lending: { rounds: Array.from({ length: count }, () => [{ name: 'view', arguments: {} }]) },
  chunks: ['Because.'],
});

function failureOf(result: AskResult) {
  return result.ok ? null : result.failed.failure;
}

describe('a question that names a directory', () => {
  it('lends tools for it, and gives no directory to the runner', async () => {
    const scene = new Scene({ run: calls(1) });
    expect(await scene.ask(looking)).toMatchObject({ ok: true, answer: { text: 'Because.' } });
    const [{ settings, toolSources } = {}] = scene.runner.requests;
    expect(settings).toMatchObject({ tools: 'none', directory: null, systemPrompt: lookingInstruction });
    expect(toolSources).toHaveLength(1);
    expect(scene.told).toEqual(['alpha\n']);
    expect(await scene.closed()).toEqual([true]);
  });

  it('tells by the directory that is there now, and its roots, what the tools reach', async () => {
    const scene = new Scene();
    await scene.ask(looking);
    await scene.ask(looking);
    scene.generation = 2;
    await scene.ask(looking);
    await scene.ask({ ...looking, roots: ['/project', '/project/docs'] });
    await scene.ask({ ...looking, directory: '/project/docs' });
    const [first, again, ...others] = scene.reaches;
    expect([first, again]).toEqual(['["/project 1",["/project"]]', first]);
    expect(others).toEqual(['["/project 2",["/project"]]', '["/project 2",["/project","/project/docs"]]', undefined]);
  });

  it('keeps the system prompt of the caller, and the tools that it lends itself', async () => {
    const scene = new Scene();
    const own = new ScriptedToolSource({ tools: [{ ...view, name: 'own' }] });
    await scene.ask({ ...looking, systemPrompt: 'Be brief.' }, { toolSources: [own] });
    const [{ settings, toolSources } = {}] = scene.runner.requests;
    expect(settings?.systemPrompt).toBe('Be brief.');
    expect(toolSources?.[0]).toBe(own);
    expect(toolSources).toHaveLength(2);
  });

  it.each<[string, ScriptedRun]>([
    ['fails', { failure: { kind: 'blocked', what: 'answer', excerpt: '' } }],
    ['was given up', { hangs: true }],
  ])('closes what it opened where the run %s', async (_, run) => {
    const scene = new Scene({ run });
    const given = new AbortController();
    const asked = scene.ask(looking, {}, given.signal);
    await scene.clock.advance(1);
    expect(scene.workspaces).toHaveLength(1);
    given.abort();
    expect(failureOf(await asked)).not.toBeNull();
    expect(await scene.closed()).toEqual([true]);
  });

  it('is refused before any run where the directory cannot be opened', async () => {
    const scene = new Scene();
    for (const directory of ['/project/nowhere', '/elsewhere', '/project/a.txt']) {
      const result = await scene.ask({ ...looking, directory });
      expect(failureOf(result)).toMatchObject({
        kind: 'directory-refused',
        detail: expect.stringContaining(directory),
      });
    }
    expect(scene.runner.requests).toEqual([]);
  });

  it('goes on without a directory that is optional and cannot be opened, and says so', async () => {
    const scene = new Scene();
    const result = await scene.ask({ ...looking, directory: '/project/nowhere', directoryIsOptional: true });
    const notice = 'Gemini could not look into the working directory: There is no /project/nowhere.';
    expect(result).toMatchObject({ ok: true, answer: { notices: [notice] } });
    const [{ settings, toolSources } = {}] = scene.runner.requests;
    expect(settings).toEqual({ ...plainRunSettings, roots: ['/project'] });
    expect(toolSources).toBeUndefined();
  });

  it('is cancelled where it was given up before the directory was open', async () => {
    const scene = new Scene();
    const result = await scene.ask({ ...looking, directoryIsOptional: true }, {}, AbortSignal.abort());
    expect(failureOf(result)).toEqual({ kind: 'cancelled' });
    expect(scene.runner.requests).toEqual([]);
  });

  it('ends by its budget, and says that this was why', async () => {
    const scene = new Scene({ run: calls(20), maxSteps: 2 });
    expect(failureOf(await scene.ask(looking))).toEqual({ kind: 'turn-limit', excerpt: '' });
    expect(scene.told.filter((told) => told.startsWith('Refused: '))).toHaveLength(8);
    expect(await scene.closed()).toEqual([true]);
  });
});

describe('a question for whose directory there can be no tools', () => {
  it('names the resource that the system lacks', async () => {
    const scene = new Scene({ fault: new RangeError('No descriptors.') });
    expect(failureOf(await scene.ask(looking))).toEqual({ kind: 'resources-exhausted', detail: 'No descriptors.' });
    expect(await scene.closed()).toEqual([true]);
  });

  it('hides no fault of the program', async () => {
    const scene = new Scene({ fault: new Error('A bug') });
    await expect(scene.ask(looking)).rejects.toThrow('A bug');
    expect(await scene.closed()).toEqual([true]);
  });
});

describe('the runner gives the directory itself', () => {
  it.each<[string, RunSettings, SceneOptions]>([
    ['all tools are wanted', { ...looking, tools: 'everything' }, {}],
    ['a container is', { ...looking, sandbox: true }, {}],
    ['it is a trusted one', looking, { trusted: ['/project'] }],
    ['no tools can be lent', looking, { capabilities: { lendsTools: false } }],
  ])('where %s', async (_, settings, options) => {
    const scene = new Scene(options);
    expect(await scene.ask(settings)).toMatchObject({ ok: true });
    const [request] = scene.runner.requests;
    expect(request?.settings).toEqual(settings);
    expect(request?.toolSources).toBeUndefined();
    expect(scene.workspaces).toEqual([]);
  });

  it('but not a trusted one where other tools are lent as well', async () => {
    const scene = new Scene({ trusted: ['/project'] });
    const own = new ScriptedToolSource({ tools: [{ ...view, name: 'own' }] });
    expect(await scene.ask(looking, { toolSources: [own] })).toMatchObject({ ok: true });
    expect(scene.runner.requests[0]?.toolSources).toHaveLength(2);
  });

  it('but not a trusted one that it cannot give', async () => {
    const scene = new Scene({ trusted: ['/project'], capabilities: { tools: ['none'] } });
    expect(await scene.ask(looking)).toMatchObject({ ok: true });
    expect(scene.runner.requests[0]?.toolSources).toHaveLength(1);
  });
});

it('leaves a question without a directory as it is', async () => {
  const scene = new Scene();
  await scene.ask({ ...looking, directory: null, tools: 'none' });
  expect(scene.runner.requests[0]?.settings).toEqual({ ...looking, directory: null, tools: 'none' });
  expect(scene.workspaces).toEqual([]);
});

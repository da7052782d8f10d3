import { describe, expect, it } from 'vitest';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { GeminiRunner } from '../ports/gemini-runner/gemini-runner.ts';
import type { RunEnd, RunEvent } from '../ports/gemini-runner/run-event.ts';
import type { RunNeeds, RunRequest } from '../ports/gemini-runner/run-request.ts';
import { plainRunSettings, type RunSettings } from '../ports/gemini-runner/run-settings.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { messageOnly, ScriptedGeminiRunner } from '../testing/scripted-gemini-runner.ts';
import type { ScriptedRun } from '../testing/scripted-run.ts';
import type { RunnerPreference } from './choose-runner.ts';
import { ChoosingGeminiRunner, type RunnerChoice } from './choosing-gemini-runner.ts';

const unavailable = { failure: { kind: 'runner-unavailable', excerpt: 'Unknown argument: acp' } } as const;
const refused = { failure: { kind: 'unsupported', feature: 'directory' } } as const;
const answer: ScriptedRun = { chunks: ['Because.'] };
/** A run with all tools whose directory is not allowed. */
const elsewhere = {
  settings: { ...plainRunSettings, tools: 'everything' },
  directory: { path: '/project', isOptional: true, roots: [] },
} as const;

const restMs = 300_000;

type Arrangement = {
  readonly preference?: RunnerPreference;
  /** How the runs of the warm one go, in order; the last one goes on for ever. */
  readonly warmRuns?: readonly ScriptedRun[];
  readonly headlessRun?: ScriptedRun;
  readonly warmCapabilities?: Partial<RunnerCapabilities>;
};

function arrange({ preference = 'auto', warmRuns = [answer], headlessRun = answer, warmCapabilities }: Arrangement) {
  const clock = new FakeClock();
  const choices: RunnerChoice[] = [];
  const warm = new ScriptedGeminiRunner({
    clock,
    script: (_, index) => warmRuns[Math.min(index, warmRuns.length - 1)] ?? {},
    capabilities: { name: 'warm', sandbox: false, tools: ['none', 'web-search'], ...warmCapabilities },
  });
  const headless = new ScriptedGeminiRunner({
    clock,
    script: () => headlessRun,
    capabilities: { name: 'headless', warmStart: false },
  });
  const runner = new ChoosingGeminiRunner({
    clock,
    runners: [warm, headless],
    preference,
    onChoice: (choice) => {
      choices.push(choice);
    },
  });
  const request: RunRequest = { model: 'pro', input: 'Why?', deadlineAtMs: clock.now() + 60_000 };
  const reasons = (): readonly string[] => choices.map((choice) => `${choice.runner}: ${choice.reason}`);
  return { clock, warm, headless, runner, request, choices, reasons };
}

async function collect(
  runner: GeminiRunner,
  request: RunRequest,
  signal = new AbortController().signal,
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of runner.run(request, signal)) {
    events.push(event);
  }
  return events;
}

function endOf(events: readonly RunEvent[]): RunEnd {
  const ends = events.filter((event) => event.type === 'answer' || event.type === 'failure');
  const [end] = ends;
  if (end === undefined || ends.length > 1) {
    throw new Error(`There are ${ends.length} ends.`);
  }
  return end;
}

function failureOf(events: readonly RunEvent[]): GeminiFailure | null {
  const end = endOf(events);
  return end.type === 'failure' ? end.failure : null;
}

function textsOf(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
}

describe('ChoosingGeminiRunner', () => {
  it('gives the warm one the requests it supports, and logs why without anything from the request', async () => {
    const { runner, request, warm, headless, choices } = arrange({});
    expect(textsOf(await collect(runner, request))).toEqual(['Because.']);
    expect(warm.requests).toEqual([request]);
    expect(headless.requests).toEqual([]);
    expect(choices).toEqual([
      { runner: 'warm', reason: 'preferred', text: 'it answers soonest, and can do what the request needs' },
    ]);
  });

  it('gives the headless one what only it declares', async () => {
    const { runner, request, warm, headless, reasons } = arrange({});
    const sandboxed = { ...request, settings: { ...plainRunSettings, sandbox: true } };
    expect(textsOf(await collect(runner, sandboxed))).toEqual(['Because.']);
    expect(warm.requests).toEqual([]);
    expect(headless.requests).toEqual([sandboxed]);
    expect(reasons()).toEqual(['headless: needs-sandbox']);
  });

  it('never asks the warm one in headless mode', async () => {
    const { runner, request, warm, headless, reasons } = arrange({ preference: 'headless' });
    await collect(runner, request);
    expect(warm.requests).toEqual([]);
    expect(headless.requests).toEqual([request]);
    expect(reasons()).toEqual(['headless: asked-for']);
  });

  it.each<RunnerPreference>(['auto', 'warm'])(
    'goes on where the warm one refused as unsupported: %s',
    async (preference) => {
      const { runner, request, headless, choices } = arrange({ preference, warmRuns: [refused] });
      const events = await collect(runner, request);
      expect(textsOf(events)).toEqual(['Because.']);
      expect(failureOf(events)).toBeNull();
      expect(headless.requests).toEqual([request]);
      expect(choices[1]).toEqual({
        runner: 'headless',
        reason: 'refused',
        text: 'the runner before it refused the request as unsupported',
        detail: 'directory',
      });
    },
  );

  it('takes a refusal for its size for the answer', async () => {
    const refusal = { measure: 'characters', actual: 2, limit: 1 } as const;
    const failure = { kind: 'context-too-large', refusal, excerpt: '' } as const;
    const { runner, request, headless } = arrange({ warmRuns: [{ failure }] });
    expect(failureOf(await collect(runner, request))).toEqual(failure);
    expect(headless.requests).toEqual([]);
  });

  it('gives the refusal of the last one where all refuse', async () => {
    const { runner, request, reasons } = arrange({ warmRuns: [refused], headlessRun: refused });
    expect(failureOf(await collect(runner, request))).toEqual(refused.failure);
    expect(reasons()).toEqual(['warm: preferred', 'headless: refused']);
  });

  it('gives a clear refusal if no runner supports the request', async () => {
    const { runner, request, reasons } = arrange({});
    const media = [{ path: 'a.wav', mediaType: 'audio/wav', bytes: new Uint8Array(1) }];
    const events = await collect(runner, { ...request, media });
    expect(events).toHaveLength(1);
    expect(failureOf(events)).toEqual({ kind: 'unsupported', feature: 'media' });
    expect(reasons()).toEqual(['warm: lacks-least']);
  });

  it('goes on if the warm one is unavailable, and says why it was', async () => {
    const { runner, request, headless, choices } = arrange({ warmRuns: [unavailable] });
    const events = await collect(runner, request);
    expect(textsOf(events)).toEqual(['Because.']);
    expect(failureOf(events)).toBeNull();
    expect(headless.requests).toEqual([request]);
    expect(choices[1]).toMatchObject({ runner: 'headless', reason: 'unavailable', detail: 'Unknown argument: acp' });
  });

  it.each([
    ['is unavailable', unavailable],
    ['refused the request as unsupported', refused],
  ])('goes on, with one notice, where the warm one left the directory out and then %s', async (_, warmRun) => {
    const { runner, request, reasons } = arrange({ warmRuns: [warmRun], warmCapabilities: { tools: ['everything'] } });
    const events = await collect(runner, { ...request, ...elsewhere });
    expect(events.map(({ type }) => type)).toEqual(['notice', 'text', 'answer']);
    expect(reasons()).toHaveLength(2);
  });

  it('yields statuses at once, even of a run that the next runner takes over', async () => {
    const waiting = { ...unavailable, statuses: ['Fetching a program.'] };
    const { runner, request, reasons } = arrange({ warmRuns: [waiting] });
    const events = await collect(runner, request);
    expect(events.map(({ type }) => type)).toEqual(['status', 'text', 'answer']);
    expect(reasons()).toHaveLength(2);
  });

  it('keeps the notice of a run that comes to nothing', async () => {
    const warmCapabilities = { tools: ['everything'] } as const;
    const { runner, request } = arrange({ preference: 'warm', warmRuns: [unavailable], warmCapabilities });
    const events = await collect(runner, { ...request, ...elsewhere });
    expect(events.map(({ type }) => type)).toEqual(['notice', 'failure']);
  });

  it('fails in warm mode where the warm one cannot be had, each time again', async () => {
    const { runner, request, warm, headless } = arrange({ preference: 'warm', warmRuns: [unavailable] });
    for (let call = 0; call < 4; call += 1) {
      expect(failureOf(await collect(runner, request))).toEqual(unavailable.failure);
    }
    expect(warm.requests).toHaveLength(4);
    expect(headless.requests).toEqual([]);
  });

  it.each<[string, ScriptedRun]>([
    ['text', { ...unavailable, chunks: ['Be'] }],
    ['a tool', { ...refused, tools: [{ name: 'read_file', phase: 'started' }] }],
  ])('runs nothing twice after %s was seen', async (_, run) => {
    const { runner, request, headless } = arrange({ warmRuns: [run] });
    expect(failureOf(await collect(runner, request))).toEqual(run.failure);
    expect(headless.requests).toEqual([]);
  });

  it.each<[string, GeminiFailure]>([
    ['a crash', { kind: 'crashed', detail: '', excerpt: '' }],
    ['a missing CLI', { kind: 'cli-missing', detail: '' }],
    ['an empty answer', { kind: 'empty-answer', excerpt: '' }],
    ['an overload', { kind: 'overloaded', excerpt: '' }],
  ])('takes %s for the answer', async (_, failure) => {
    const { runner, request, headless } = arrange({ warmRuns: [{ failure }] });
    expect(failureOf(await collect(runner, request))).toEqual(failure);
    expect(headless.requests).toEqual([]);
  });

  it('lets the warm one rest after two times, and asks it again after five minutes', async () => {
    const { clock, runner, request, warm, reasons } = arrange({ warmRuns: [unavailable, unavailable, answer] });
    const ask = () => collect(runner, { ...request, deadlineAtMs: clock.now() + 60_000 });
    await ask();
    await ask();
    await ask();
    await clock.advance(restMs);
    await ask();
    expect(warm.requests).toHaveLength(3);
    expect(reasons()).toEqual([
      'warm: preferred',
      'headless: unavailable',
      'warm: preferred',
      'headless: unavailable',
      'headless: resting',
      'warm: preferred',
    ]);
  });

  it('ends the inner run when its consumer stops listening', async () => {
    const { clock, request, headless } = arrange({});
    let ended = false;
    const inner = new ScriptedGeminiRunner({ clock, script: () => ({ chunks: ['Be'], hangs: true }) });
    const watched: GeminiRunner = {
      capabilities: inner.capabilities,
      async *run(...args) {
        try {
          yield* inner.run(...args);
        } finally {
          ended = true;
        }
      },
    };
    const choosing = new ChoosingGeminiRunner({ clock, runners: [watched, headless], preference: 'auto' });
    for await (const event of choosing.run(request, new AbortController().signal)) {
      expect(event).toEqual({ type: 'text', text: 'Be' });
      expect(ended).toBe(false);
      break;
    }
    expect(ended).toBe(true);
    expect(clock.sleeping).toBe(0);
    expect(headless.requests).toEqual([]);
  });

  it('gives the second one the same signal and the same deadline', async () => {
    const aborted = arrange({ warmRuns: [unavailable], headlessRun: { hangs: true } });
    const controller = new AbortController();
    const run = collect(aborted.runner, aborted.request, controller.signal);
    await aborted.clock.advance(1);
    controller.abort();
    expect(failureOf(await run)).toEqual({ kind: 'cancelled' });

    const late = arrange({ warmRuns: [unavailable], headlessRun: { hangs: true } });
    const lateRun = collect(late.runner, late.request);
    await late.clock.advance(60_000);
    expect(failureOf(await lateRun)).toEqual({ kind: 'timeout' });
  });

  it('ends without an answer or a failure where the inner run does', async () => {
    const { clock, headless, request, warm } = arrange({});
    const broken: GeminiRunner = { capabilities: warm.capabilities, async *run() {} };
    const runner = new ChoosingGeminiRunner({ clock, runners: [broken, headless], preference: 'auto' });
    expect(await collect(runner, request)).toEqual([]);
    expect(headless.requests).toEqual([]);
  });
});

describe('ChoosingGeminiRunner: what it declares', () => {
  it('is what the runner declares that comes first', () => {
    const { warm, headless } = arrange({});
    expect(arrange({}).runner.capabilities).toEqual(warm.capabilities);
    expect(arrange({ preference: 'headless' }).runner.capabilities).toEqual(headless.capabilities);
  });

  it.each<[RunnerPreference, 'warm' | 'headless']>([
    ['warm', 'headless'],
    ['headless', 'warm'],
  ])('needs a runner for the preference %s', (preference, only) => {
    const { clock, [only]: runner } = arrange({});
    const create = () => new ChoosingGeminiRunner({ clock, runners: [runner], preference });
    expect(create).toThrow(`'${preference}'`);
  });
});

describe('the models for callers who name none', () => {
  it('belong to the preferred runner, or to the one that a request needs', () => {
    const warmCapabilities = { ...messageOnly, models: ['new', 'old'] as const };
    const { runner } = arrange({ preference: 'auto', warmCapabilities });
    expect(runner.capabilities.models).toEqual(['new', 'old']);
    expect(runner.capabilitiesFor({}).models).toEqual(['new', 'old']);
    expect(runner.capabilitiesFor({ settings: { ...plainRunSettings, sandbox: true } }).models).toBeUndefined();
  });
});

describe('ChoosingGeminiRunner with one that asks the API', () => {
  const missing: ScriptedRun = { failure: { kind: 'cli-missing', detail: 'There is no `gemini`.' } };
  const withTools = { ...plainRunSettings, tools: 'everything' } as const;

  type WithApi = {
    readonly preference?: RunnerPreference;
    readonly apiRun?: ScriptedRun;
    readonly cliRun?: ScriptedRun | (() => ScriptedRun);
    readonly needsKeyOfCall?: boolean;
  };

  function arrangeApi({ preference = 'auto', apiRun = answer, cliRun = answer, needsKeyOfCall = false }: WithApi) {
    const clock = new FakeClock();
    const backend = { by: 'Gemini API', login: 'API key' };
    const models = ['model-of-api'] as const;
    const declared = {
      name: 'api',
      direct: true,
      backend,
      tools: ['none'],
      sandbox: false,
      needsKeyOfCall,
      models,
    } as const;
    const api = new ScriptedGeminiRunner({ clock, script: () => apiRun, capabilities: declared });
    const [warm, headless] = (['warm', 'headless'] as const).map(
      (name) =>
        new ScriptedGeminiRunner({
          clock,
          script: () => (typeof cliRun === 'function' ? cliRun() : cliRun),
          capabilities: { name, warmStart: name === 'warm', backend: { by: 'Gemini CLI' } },
        }),
    );
    const choices: string[] = [];
    const runner = new ChoosingGeminiRunner({
      clock,
      runners: [warm, headless, api].flatMap((each) => each ?? []),
      preference,
      onChoice: ({ runner: name, reason }) => choices.push(`${name}: ${reason}`),
    });
    const ask = (settings: RunSettings = plainRunSettings) =>
      collect(runner, { model: 'pro', input: 'Why?', deadlineAtMs: clock.now() + 60_000, settings });
    return { clock, api, runner, ask, choices };
  }

  it('asks the API first, and names the backend at the end of the run', async () => {
    const { ask, choices } = arrangeApi({});
    expect(endOf(await ask())).toMatchObject({
      handledBy: { runner: 'api', by: 'Gemini API', login: 'API key', reason: 'preferred' },
    });
    expect(choices).toEqual(['api: preferred']);
  });

  it('says of a run with a key of its own that it was that key', async () => {
    const { ask } = arrangeApi({ needsKeyOfCall: true });
    expect(endOf(await ask({ ...plainRunSettings, apiKey: 'own' }))).toMatchObject({
      handledBy: { runner: 'api', login: 'key of the call' },
    });
    expect(endOf(await ask())).toMatchObject({
      handledBy: { runner: 'warm', by: 'Gemini CLI', reason: 'needs-login' },
    });
  });

  it('gives all tools by the CLI', async () => {
    const { api, ask, choices } = arrangeApi({});
    expect(textsOf(await ask(withTools))).toEqual(['Because.']);
    expect(choices).toEqual(['warm: needs-tools']);
    expect(api.requests).toEqual([]);
  });

  it('fails if the CLI is missing for them, and looks for it each time', async () => {
    const { ask, choices } = arrangeApi({ cliRun: missing });
    expect(failureOf(await ask(withTools))).toEqual(missing.failure);
    expect(failureOf(await ask(withTools))).toEqual(missing.failure);
    expect(choices).toEqual(['warm: needs-tools', 'warm: needs-tools']);
  });

  it('refuses them where the API alone may be asked', async () => {
    const { ask, choices } = arrangeApi({ preference: 'api' });
    expect(failureOf(await ask(withTools))).toEqual({ kind: 'unsupported', feature: 'tools' });
    expect(choices).toEqual(['api: lacks-least']);
  });

  it.each<GeminiFailure>([
    { kind: 'authentication', problem: 'rejected', excerpt: '' },
    { kind: 'network', excerpt: '' },
    { kind: 'quota-exhausted', excerpt: '' },
  ])('takes what the API says for the end: %j', async (failure) => {
    const { ask, choices } = arrangeApi({ apiRun: { failure } });
    expect(failureOf(await ask())).toEqual(failure);
    expect(choices).toEqual(['api: preferred']);
  });

  it.each<RunnerPreference>(['warm', 'headless'])('never asks the API in %s mode', async (preference) => {
    const { api, ask, choices } = arrangeApi({ preference, cliRun: missing });
    expect(failureOf(await ask(withTools))).toEqual(missing.failure);
    expect(choices).toEqual([`${preference}: asked-for`]);
    expect(api.requests).toEqual([]);
  });

  it('needs one for the preference api', () => {
    const { clock, warm, headless } = arrange({});
    const create = () => new ChoosingGeminiRunner({ clock, runners: [warm, headless], preference: 'api' });
    expect(create).toThrow("'api'");
  });
});

describe('the capabilities for what a request needs', () => {
  it.each<[string, Arrangement, RunNeeds, string]>([
    ['those of the preferred runner', {}, {}, 'warm'],
    ['belong to the one that can', {}, { settings: { ...plainRunSettings, sandbox: true } }, 'headless'],
    ['belong to the one that supports schemas', { warmCapabilities: messageOnly }, { answerSchema: {} }, 'headless'],
  ])('are %s', (_, arrangement, needs, name) => {
    expect(arrange(arrangement).runner.capabilitiesFor(needs).name).toBe(name);
  });
});

describe('ChoosingGeminiRunner that counts', () => {
  it('counts by the runner that a request would be given to, and by no other', async () => {
    const clock = new FakeClock();
    const asked: string[] = [];
    const make = (name: string, more: Partial<RunnerCapabilities> = {}): ScriptedGeminiRunner =>
      new ScriptedGeminiRunner({
        clock,
        script: () => answer,
        count: () => {
          asked.push(name);
          return { ok: true, tokens: 7 };
        },
        capabilities: { name, ...more },
      });
    const warm = make('warm', { tools: ['none'] });
    const headless = make('headless', { warmStart: false, tokenCount: false });
    const runner = new ChoosingGeminiRunner({ clock, runners: [warm, headless], preference: 'auto' });
    const { signal } = new AbortController();
    const request: RunRequest = { model: 'pro', input: 'Why?', deadlineAtMs: clock.now() + 60_000 };
    const settings = { ...plainRunSettings, tools: 'web-search' } as const;
    expect(await runner.countTokens(request, signal)).toEqual({ ok: true, tokens: 7 });
    expect(await runner.countTokens({ ...request, settings }, signal)).toEqual({
      ok: false,
      failure: { kind: 'unsupported', feature: 'token-count' },
    });
    expect(runner.capabilitiesFor({ settings }).tokenCount).toBe(false);
    expect(asked).toEqual(['warm']);
  });
});

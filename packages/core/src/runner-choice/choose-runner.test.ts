import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunRequest } from '../ports/gemini-runner/run-request.ts';
import { plainRunSettings, type RunSettings, type ToolAccess } from '../ports/gemini-runner/run-settings.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { messageOnly, ScriptedGeminiRunner } from '../testing/scripted-gemini-runner.ts';
import { choiceTexts } from './choice-reason.ts';
import { chooseRunner, type RunnerCandidate, type RunnerPreference } from './choose-runner.ts';
import { listLacks } from './list-lacks.ts';

const { capabilities: everything } = new ScriptedGeminiRunner({ clock: new FakeClock(), script: () => ({}) });

function candidate(known: Partial<RunnerCapabilities>): RunnerCandidate {
  return { capabilities: { ...everything, ...known }, isResting: false };
}

const headless = candidate({ name: 'headless', warmStart: false });
const warm = candidate({ name: 'warm', warmStart: true, tools: ['none', 'web-search'], sandbox: false });
const restingWarm: RunnerCandidate = { ...warm, isResting: true };
/** Carries a message of ten characters and nothing else. */
const poorWarm = candidate({ name: 'warm', ...messageOnly, maxInputCharacters: 10 });
const restingPoorWarm: RunnerCandidate = { ...poorWarm, isResting: true };

const direct = candidate({ name: 'api', direct: true, tools: ['none'] });

const plain: RunRequest = { model: 'pro', input: 'Hi', deadlineAtMs: 1 };
const conversation = { history: [{ role: 'user', text: 'Hi' }] } as const;
const image = { media: [{ path: 'a.png', mediaType: 'image/png', bytes: new Uint8Array(1) }] };
const sound = { media: [{ path: 'a.wav', mediaType: 'audio/wav', bytes: new Uint8Array(1) }] };

function withSettings(settings: Partial<RunSettings>): Partial<RunRequest> {
  return { settings: { ...plainRunSettings, ...settings } };
}

type Situation = {
  readonly preference: RunnerPreference;
  readonly candidates: readonly RunnerCandidate[];
  readonly fields?: Partial<RunRequest>;
};

function choose({ preference, candidates, fields }: Situation): readonly string[] {
  return chooseRunner({ request: { ...plain, ...fields }, preference, candidates }).map(
    ({ candidate: { capabilities }, reason }) => `${capabilities.name}: ${reason}`,
  );
}

const both = [headless, warm];

describe('chooseRunner', () => {
  it.each<[string, Situation, readonly string[]]>([
    ['a plain message', { preference: 'auto', candidates: both }, ['warm: preferred', 'headless: in-reserve']],
    [
      'a plain message, the warm one asked for',
      { preference: 'warm', candidates: both },
      ['warm: asked-for', 'headless: in-reserve'],
    ],
    ['a plain message, headless asked for', { preference: 'headless', candidates: both }, ['headless: asked-for']],
    [
      'tools that the warm one can keep to',
      { preference: 'auto', candidates: both, fields: withSettings({ tools: 'web-search' }) },
      ['warm: preferred', 'headless: in-reserve'],
    ],
    [
      'tools that it cannot keep to',
      { preference: 'auto', candidates: both, fields: withSettings({ tools: 'everything' }) },
      ['headless: needs-tools'],
    ],
    [
      'the same with the warm one asked for',
      { preference: 'warm', candidates: both, fields: withSettings({ tools: 'everything' }) },
      ['headless: needs-tools'],
    ],
    [
      'a sandbox',
      { preference: 'auto', candidates: both, fields: withSettings({ sandbox: true }) },
      ['headless: needs-sandbox'],
    ],
    [
      'a system prompt',
      { preference: 'auto', candidates: [headless, poorWarm], fields: withSettings({ systemPrompt: 'Be terse.' }) },
      ['headless: needs-system-prompt'],
    ],
    [
      'a conversation',
      { preference: 'auto', candidates: [headless, poorWarm], fields: conversation },
      ['headless: needs-history'],
    ],
    ['an image', { preference: 'auto', candidates: [headless, poorWarm], fields: image }, ['headless: needs-media']],
    [
      'a message that is too large for the warm one',
      { preference: 'auto', candidates: [headless, poorWarm], fields: { input: 'x'.repeat(11) } },
      ['headless: too-large'],
    ],
    [
      'tools that only the CLI has',
      { preference: 'auto', candidates: [direct, ...both], fields: withSettings({ tools: 'everything' }) },
      ['headless: needs-tools'],
    ],
    [
      'a plain message, with the API',
      { preference: 'auto', candidates: [...both, direct] },
      ['api: preferred', 'warm: in-reserve', 'headless: in-reserve'],
    ],
    ['a rest', { preference: 'auto', candidates: [headless, restingWarm] }, ['headless: resting']],
    [
      'a rest of the requested one',
      { preference: 'warm', candidates: [headless, restingWarm] },
      ['warm: asked-for', 'headless: in-reserve'],
    ],
    [
      'a rest of the only one that can do it',
      {
        preference: 'auto',
        candidates: [candidate({ name: 'headless', ...messageOnly, warmStart: false }), restingWarm],
        fields: conversation,
      },
      ['warm: preferred'],
    ],
    [
      'a need that comes before a rest',
      { preference: 'auto', candidates: [headless, restingPoorWarm], fields: image },
      ['headless: needs-media'],
    ],
    ['what no runner can do', { preference: 'auto', candidates: both, fields: sound }, ['warm: lacks-least']],
    [
      'what no runner can do, and one can do less of it',
      { preference: 'auto', candidates: both, fields: { ...sound, ...withSettings({ sandbox: true }) } },
      ['headless: lacks-least'],
    ],
    [
      'a request too large for both',
      { preference: 'auto', candidates: [headless, poorWarm], fields: { input: 'x'.repeat(4_000_001) } },
      ['headless: lacks-least'],
    ],
    ['only a headless one', { preference: 'auto', candidates: [headless] }, ['headless: preferred']],
    ['no runner for the preference', { preference: 'headless', candidates: [warm] }, []],
    ['no runner', { preference: 'auto', candidates: [] }, []],
  ])('%s', (_, situation, order) => {
    expect(choose(situation)).toEqual(order);
  });
});

const tools: readonly ToolAccess[] = ['none', 'web-search', 'everything'];
const mediaTypes = ['image/png', 'application/pdf'];

const arbitraryCandidate: fc.Arbitrary<RunnerCandidate> = fc.record({
  isResting: fc.boolean(),
  capabilities: fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    maxInputBytes: fc.nat(40),
    maxInputCharacters: fc.nat(40),
    resume: fc.boolean(),
    tools: fc.subarray([...tools], { minLength: 1 }),
    sandbox: fc.boolean(),
    systemPrompt: fc.boolean(),
    mediaTypes: fc.subarray(mediaTypes),
    maxMediaBytes: fc.nat(10),
    warmStart: fc.boolean(),
    direct: fc.boolean(),
    streaming: fc.boolean(),
    usage: fc.boolean(),
    keyOfCall: fc.boolean(),
  }),
});

const arbitraryRequest: fc.Arbitrary<RunRequest> = fc.record({
  model: fc.constant('pro'),
  input: fc.string({ maxLength: 30, unit: fc.constantFrom('x', 'é', '€') }),
  deadlineAtMs: fc.constant(1),
  history: fc.array(fc.record({ role: fc.constantFrom('user', 'model'), text: fc.string({ maxLength: 9 }) }), {
    maxLength: 2,
  }),
  media: fc.array(
    fc.record({
      path: fc.constant('a'),
      mediaType: fc.constantFrom(...mediaTypes),
      bytes: fc.uint8Array({ maxLength: 6 }),
    }),
    { maxLength: 2 },
  ),
  settings: fc.record({
    systemPrompt: fc.option(fc.constant('Be terse.')),
    tools: fc.constantFrom(...tools),
    apiKey: fc.constant(null),
    sandbox: fc.boolean(),
  }),
});

const arbitrarySituation = fc.record({
  request: arbitraryRequest,
  preference: fc.constantFrom<RunnerPreference>('auto', 'api', 'warm', 'headless'),
  candidates: fc.array(arbitraryCandidate, { maxLength: 4 }),
});

function isAdmitted(preference: RunnerPreference): (candidate: RunnerCandidate) => boolean {
  return ({ capabilities: { direct = false, warmStart } }) =>
    preference === 'auto' || (direct === (preference === 'api') && (preference !== 'headless' || !warmStart));
}

describe('chooseRunner, whatever the request, the preference and the candidates', () => {
  it('chooses such as declare all that is needed, unless none does', () => {
    fc.assert(
      fc.property(arbitrarySituation, (situation) => {
        const order = chooseRunner(situation);
        const canCarry = ({ capabilities }: RunnerCandidate): boolean =>
          listLacks(situation.request, capabilities).length === 0;
        const admitted = situation.candidates.filter(isAdmitted(situation.preference));
        const carries = order.map(({ candidate: one }) => canCarry(one));
        expect(carries).toEqual(order.map(() => admitted.some(canCarry)));
        expect(order.length === 0).toBe(admitted.length === 0);
      }),
    );
  });

  it('returns only runners that the preference allows', () => {
    fc.assert(
      fc.property(arbitrarySituation, (situation) => {
        const isWanted = isAdmitted(situation.preference);
        expect(chooseRunner(situation).filter(({ candidate: one }) => !isWanted(one))).toEqual([]);
      }),
    );
  });

  it('names no runner twice, and decides the same again', () => {
    fc.assert(
      fc.property(arbitrarySituation, (situation) => {
        const order = chooseRunner(situation);
        expect(new Set(order.map(({ candidate: one }) => one)).size).toBe(order.length);
        expect(chooseRunner(situation)).toEqual(order);
      }),
    );
  });

  it('asks a resting runner only if no other can do it, with auto', () => {
    fc.assert(
      fc.property(arbitrarySituation, (situation) => {
        const order = chooseRunner({ ...situation, preference: 'auto' });
        const asleep = order.filter(({ candidate: { isResting } }) => isResting);
        expect([0, order.length]).toContain(asleep.length);
      }),
    );
  });
});

describe('choiceTexts', () => {
  it.each(Object.entries(choiceTexts))('are one line each: %s', (_, text) => {
    expect(text).toMatch(/^[a-z][^\n]{20,}[^.\n]$/);
  });
});

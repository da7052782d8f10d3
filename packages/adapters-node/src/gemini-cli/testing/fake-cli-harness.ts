import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GeminiRunner } from '@gemini-mcp/core';
import {
  type CliStep,
  cliAnswer,
  cliApiFailure,
  cliDailyQuota,
  cliInvalidAnswer,
  cliOpening,
  cliRateLimited,
  createFakeGeminiCli,
  whenFileExists,
} from '@gemini-mcp/fake-gemini';
import type { GeminiRunnerHarness, Situation } from '@gemini-mcp/port-contracts';
import { LeapingClock } from '@gemini-mcp/port-contracts';
import { CliGeminiRunner } from '../cli-gemini-runner.ts';
import { type ModelCall, modelCallKind } from '../inside-the-cli/model-call.ts';
import { frameInput } from '../message/literal-channel.ts';
import { makeDirectories } from './made-directories.ts';
import { killProcessesOf, processesOf } from './processes-of.ts';

/** The headless runner over a fake CLI, one for each run, since its script is fixed before it starts. */
export async function createFakeCliHarness(): Promise<GeminiRunnerHarness> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'fake-cli-contract-')));
  const given = await makeDirectories();
  const clock = new LeapingClock();
  const directories: string[] = [];
  /** Directories of runs that ended before their request. */
  const unasked = new Set<string>();
  let choose = (_input: string): Situation => ({ type: 'empty' });
  const runnerWith = (cli: string): GeminiRunner =>
    new CliGeminiRunner({
      clock,
      environment: { PATH: '/usr/bin:/bin', HOME: root, GEMINI_MCP_CLI: cli, GEMINI_API_KEY: 'a-key' },
      runsDirectory: join(root, 'runs'),
      userDirectory: join(root, '.gemini'),
      roots: [given.outer, given.other],
    });
  const runner: GeminiRunner = {
    capabilities: runnerWith('').capabilities,
    async *run(request, signal) {
      const directory = join(root, `cli-${directories.length}`);
      directories.push(directory);
      const cli = await prepare(directory, choose(request.input), request.model);
      yield* runnerWith(cli).run(request, signal);
      if (!existsSync(join(directory, 'asked'))) {
        unasked.add(directory);
      }
    },
  };
  return {
    runner,
    arrange: (chosen) => {
      choose = chosen;
    },
    received: () => directories.flatMap(receivedBy),
    whenReceived: (count) => whenAsked(root, count, unasked),
    directories: given,
    ...(process.platform === 'linux' && { kill: async () => killProcessesOf(root) }),
    now: () => clock.now(),
    pass: async (durationMs) => clock.leap(durationMs),
    leftovers: () => leftoversOf(root, clock),
    dispose: async () => {
      await rm(root, { recursive: true });
      await given.remove();
    },
  };
}

async function leftoversOf(root: string, clock: LeapingClock): Promise<readonly string[]> {
  return [
    ...(await readdir(join(root, 'runs')).catch(() => [])),
    ...processesOf(root).map((pid) => `process ${pid}`),
    ...Array.from({ length: clock.sleeping }, () => 'a sleep'),
  ];
}

/** The inputs that reached the fake CLI of a directory, without their frame. */
export function receivedBy(directory: string): readonly string[] {
  const [opening = '', closing = ''] = frameInput('\0').split('\0');
  const runs = readdirSync(directory).filter((name) => /^run-\d+$/.test(name));
  return runs.map((name) =>
    readFileSync(join(directory, name, 'stdin'), 'utf8').slice(opening.length, -closing.length),
  );
}

/** The runs of a harness ask in the order of their directories, or all at once; those among `unasked` never ask. */
async function whenAsked(root: string, count: number, unasked: ReadonlySet<string>): Promise<void> {
  let asked = 0;
  for (let index = 0; asked < count; index += 1) {
    const directory = join(root, `cli-${index}`);
    if (!unasked.has(directory)) {
      await whenFileExists(root, `cli-${index}`);
      await whenFileExists(directory, 'asked');
      asked += 1;
    }
  }
}

async function prepare(directory: string, situation: Situation, model: string): Promise<string> {
  const path = await createFakeGeminiCli({ scenario: { runs: [stepsFor(situation, model)] }, directory });
  if (situation.type === 'answer') {
    const release = (): Promise<void> => writeFile(join(directory, 'released'), '');
    // A run that has ended meanwhile may have removed the directory.
    Promise.resolve(situation.release)
      .then(release)
      .catch(() => undefined);
  }
  return path;
}

function stepsFor(situation: Situation, model: string): readonly CliStep[] {
  switch (situation.type) {
    case 'answer':
      return answerSteps(situation, { modelVersion: model, finishReason: 'STOP' });
    // The CLI gets no model tools.
    case 'calls':
      return answerSteps({ type: 'answer', chunks: situation.chunks }, { modelVersion: model, finishReason: 'STOP' });
    case 'hang':
      return [...asked, { do: 'text', chunks: situation.chunks }, { do: 'hang' }];
    case 'empty':
    case 'thoughts':
      return cliInvalidAnswer('The model returned an empty response with no text or thoughts.');
    case 'blocked':
      return situation.what === 'prompt'
        ? saying([], cliInvalidAnswer('Model stream ended without a finish reason.'), { blockReason: 'SAFETY' })
        : cliInvalidAnswer('The model response was blocked due to safety settings.');
    case 'ended':
      return answerSteps(
        { type: 'answer', chunks: situation.chunks },
        { modelVersion: model, finishReason: situation.finishReason },
      );
    case 'unfinished':
      return saying(situation.chunks, cliInvalidAnswer('Model stream ended without a finish reason.'));
    case 'cut':
      return [
        ...saying(situation.chunks, asked),
        { do: 'result', status: 'error', error: { type: 'unknown', message: '[API Error: terminated]' } },
        { do: 'exit', code: 1 },
      ];
    case 'failure':
      return saying(situation.chunks ?? [], cliApiFailure(situation.httpStatus, situation.message));
    case 'quota':
      return situation.of === 'day' ? cliDailyQuota() : cliRateLimited(situation.retryAfterSeconds);
  }
}

const asked: readonly CliStep[] = [...cliOpening(), { do: 'touch', file: 'asked' }];

function answerSteps(
  { chunks, usage }: Extract<Situation, { type: 'answer' }>,
  end: Pick<ModelCall, 'modelVersion' | 'finishReason'>,
): readonly CliStep[] {
  const result = cliAnswer([], usage).filter((step) => step.do === 'result');
  const [first, rest] = [chunks.slice(0, 1), chunks.slice(1)];
  const held: readonly CliStep[] = [
    { do: 'await-file', file: 'released' },
    { do: 'text', chunks: rest },
  ];
  return [...asked, { do: 'text', chunks: first }, ...(rest.length === 0 ? [] : held), reported(end), ...result];
}

/** The report that the preloaded script in the real CLI's process makes about the model request. */
function reported(end: Partial<ModelCall>): CliStep {
  const call: ModelCall = {
    isStreamed: true,
    model: 'gemini-2.5-pro',
    isWhole: true,
    finishReason: null,
    blockReason: null,
    modelVersion: 'gemini-2.5-pro',
    usage: null,
    ...end,
  };
  return { do: 'write', to: 'stdout', text: `${JSON.stringify({ type: modelCallKind, ...call })}\n` };
}

/** The steps, with the text after the opening, and with a report if given. */
function saying(
  chunks: readonly string[],
  steps: readonly CliStep[],
  end: Partial<ModelCall> | null = null,
): readonly CliStep[] {
  const opening = cliOpening().length;
  const report = end === null ? [] : [reported(end)];
  return [...steps.slice(0, opening), { do: 'text', chunks }, ...report, ...steps.slice(opening)];
}

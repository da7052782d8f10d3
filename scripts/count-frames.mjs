// Follows one prompt of gemini_query down to the CLI and one piece of its answer back, and counts the functions of ours on the
// way: `node scripts/count-frames.mjs` after `npx tsc -b`. Down is the stack, async frames among it, of the write that has the
// prompt. Up is what runs once more for each further piece that the CLI tells, by the counts of V8.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../packages/', import.meta.url));
const load = (path) => import(join(packages, path));

const core = await load('core/dist/index.js');
const adapters = await load('adapters-node/dist/index.js');
const { createFakeGeminiCli, cliOpening } = await load('fake-gemini/dist/index.js');
const { createGeminiQueryTool } = await load('mcp/dist/tools/gemini-query-tool.js');

const prompt = 'PROMPT-WHOSE-WAY-IS-FOLLOWED';
const modelChain = ['gemini-2.5-pro'];
const beginningOfRun = /at (Cli|Warm)GeminiRunner\.run /;
const [fewPieces, morePieces] = [20, 220];
/** Several pieces may come in one chunk: then what reads chunks runs less often than what reads pieces. */
const minRunsPerPiece = 0.05;

function pieces(count) {
  return Array.from({ length: count }, (_, index) => `piece ${index} `);
}

/** Answers with `count` pieces, each in a write of its own. */
function scriptOf(count) {
  const say = { chunks: pieces(count), intervalMs: 3 };
  const result = { do: 'result', status: 'success', usage: { inputTokens: 1, outputTokens: 1 } };
  const finish = { do: 'event', event: { type: 'gemini-mcp/model-call', finishReason: 'STOP' } };
  return {
    scenario: { runs: [[...cliOpening(), { do: 'text', ...say }, finish, result]] },
    acp: { processes: [{ prompts: [[{ do: 'say', ...say }]] }] },
  };
}

/** gemini_query over a fake CLI that answers with `count` pieces. `onTime` hears each time that the clock is read. */
async function openScene(kind, count, onTime = () => undefined) {
  const home = await mkdtemp(join(tmpdir(), 'count-frames-'));
  const cli = await createFakeGeminiCli({ directory: join(home, 'cli'), ...scriptOf(count) });
  const system = new adapters.SystemClock();
  const clock = {
    now: () => {
      onTime();
      return system.now();
    },
    sleep: (durationMs, signal) => system.sleep(durationMs, signal),
  };
  const options = {
    clock,
    environment: { PATH: process.env.PATH, HOME: home, GEMINI_MCP_CLI: cli, GEMINI_API_KEY: 'none' },
    runsDirectory: join(home, 'runs'),
    userDirectory: join(home, '.gemini'),
    limits: { spareSessions: 0 },
  };
  const warm = new adapters.WarmGeminiRunner(options);
  const runners = [warm, new adapters.CliGeminiRunner(options)];
  const tool = createTool(clock, home, new core.ChoosingGeminiRunner({ clock, preference: kind, runners }));
  return {
    ask: () => ask(tool),
    close: async () => {
      await warm.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

function createTool(clock, workingDirectory, runner) {
  const askGemini = new core.AskGemini({
    clock,
    resolver: new adapters.FileContextResolver({ workingDirectory, roots: [], allowSensitive: false, clock }),
    runner,
    modelChain,
    random: Math.random,
    boundaryOf: () => 'boundary',
    queue: new core.CallQueue({ maxRunning: 4, maxQueued: 4 }),
  });
  const answers = new core.AnswerRecords({
    clock,
    createId: () => 'id',
    retentionMs: 60_000,
    maxBytes: 1_000_000,
  });
  return createGeminiQueryTool({ askGemini, answers, jobs: {}, modelChain, defaultTimeoutMs: 30_000 });
}

async function ask(tool) {
  const context = { signal: new AbortController().signal, progress: () => undefined, clientName: null, owner: 'o' };
  const files = { files: [], glob_patterns: [], directories: [], max_files: 1, max_bytes: 1_000 };
  const outcome = await tool.run({ prompt, ...files, timeout: 30 }, context);
  if (outcome.isError) {
    throw new Error(outcome.text);
  }
}

/** The frames of ours below the write of the prompt, from the write on. */
async function framesDown(kind) {
  // A run goes on next to the generator that began it: that one reads the clock when it begins.
  let beginning = '';
  const scene = await openScene(kind, 1, () => {
    const { stack } = new Error();
    beginning = beginningOfRun.test(stack) ? stack : beginning;
  });
  const stacks = [];
  const { write, end } = Socket.prototype;
  const look = (chunk) => {
    if (stacks.length === 0 && Buffer.from(chunk ?? '').includes(prompt)) {
      stacks.push(new Error().stack);
    }
  };
  Error.stackTraceLimit = 200;
  Socket.prototype.write = function (chunk, ...rest) {
    look(chunk);
    return write.call(this, chunk, ...rest);
  };
  Socket.prototype.end = function (chunk, ...rest) {
    look(chunk);
    return end.call(this, chunk, ...rest);
  };
  await scene.ask();
  Object.assign(Socket.prototype, { write, end });
  await scene.close();
  const rest = beginning.slice(beginning.search(beginningOfRun));
  const lines = `${stacks[0] ?? ''}\n${rest}`.split('\n').filter((line) => line.includes(packages));
  return lines.map((line) => line.trim().replace(packages, '').replace('file://', ''));
}

/** The functions of ours that run for each further piece, with how often they do. */
async function functionsUp(kind) {
  const [few, more] = [await countRuns(kind, fewPieces), await countRuns(kind, morePieces)];
  return [...more]
    .map(([name, count]) => [name, (count - (few.get(name) ?? 0)) / (morePieces - fewPieces)])
    .filter(([, perPiece]) => perPiece >= minRunsPerPiece)
    .map(([name, perPiece]) => `${name}  x${perPiece.toFixed(1)}`);
}

async function countRuns(kind, count) {
  const scene = await openScene(kind, count);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  await scene.ask();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  await scene.close();
  const own = result.filter(({ url }) => url.includes(packages) && !url.includes('fake-gemini'));
  return new Map(own.flatMap(({ url, functions }) => functions.map((each) => runsOf(fileURLToPath(url), each))));
}

function runsOf(path, { functionName, ranges }) {
  const [{ startOffset }] = ranges;
  const mark = /^(static )?async \*|^async function\*/.test(readFileSync(path, 'utf8').slice(startOffset))
    ? ' (generator)'
    : '';
  const name = `${relative(packages, path)} ${functionName || `(at ${startOffset})`}${mark}`;
  // A generator is called once; what is inside its loop is counted for itself.
  return [name, Math.max(...ranges.map(({ count }) => count))];
}

for (const kind of ['warm', 'headless']) {
  const down = await framesDown(kind);
  const up = await functionsUp(kind);
  const generators = up.filter((line) => line.includes('(generator)'));
  console.log(`${kind}, down: ${down.length} frames`, ...down.map((line) => `\n  ${line}`));
  console.log(
    `${kind}, up: ${up.length} functions, ${generators.length} generators`,
    ...up.map((line) => `\n  ${line}`),
  );
}

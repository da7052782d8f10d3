import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { apiError, empty, type Reply, startFakeGeminiApi, text } from '@gemini-mcp/fake-gemini';
import { describeGeminiRunnerContract, type GeminiRunnerHarness, type Situation } from '@gemini-mcp/port-contracts';
import { SystemClock } from '../clock/system-clock.ts';
import { findMarkedProcesses } from '../process/marked-processes.ts';
import { CliGeminiRunner } from './cli-gemini-runner.ts';
import { unframeMessage } from './literal-channel.ts';

const geminiCli = join(
  dirname(createRequire(import.meta.url).resolve('@google/gemini-cli/package.json')),
  'bundle/gemini.js',
);

function replyTo(situation: Situation): Reply {
  switch (situation.type) {
    case 'answer':
      return text(situation.chunks);
    case 'hang':
      return text([...situation.chunks, { text: 'never', after: new Promise(() => undefined) }]);
    case 'empty':
      return empty();
    case 'failure':
      return apiError({ code: situation.httpStatus, message: situation.message, status: 'UNAVAILABLE' });
  }
}

async function create(): Promise<GeminiRunnerHarness> {
  const api = await startFakeGeminiApi();
  const root = await mkdtemp(join(tmpdir(), 'gemini-mcp-runner-'));
  const runsDirectory = join(root, 'runs');
  const seenRuns = new Set<string>();
  const clock = new SystemClock();
  const runner = new CliGeminiRunner({
    clock,
    environment: { PATH: process.env['PATH'], HOME: root, GEMINI_MCP_CLI: geminiCli, ...api.environment() },
    runsDirectory,
    userDirectory: join(root, '.gemini'),
  });
  return {
    runner,
    arrange: (situation) => api.reply(replyTo(situation)),
    received: () =>
      api.requests
        .filter((request) => request.method === 'streamGenerateContent')
        .map((request) => unframeMessage(request.userText.at(-1) ?? '') ?? 'no frame'),
    now: () => clock.now(),
    pass: async () => undefined,
    leftovers: async () => {
      const directories = await readdir(runsDirectory).catch(() => []);
      for (const runId of directories) {
        seenRuns.add(runId);
      }
      return [...directories, ...findMarkedProcesses(seenRuns).map((pid) => `process ${pid}`)];
    },
    dispose: async () => {
      await api.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

describeGeminiRunnerContract({ name: 'CliGeminiRunner, real CLI', create, literalSizes: [10, 4_000, 4_000_000] });

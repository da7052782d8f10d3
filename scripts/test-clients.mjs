// Runs other vendors' clients, offline, with the output of `--print-config`: they must connect, pass the login on, show the
// remedy for a missing login, show the answer and its account, and read a long answer completely.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { startOfflineGeminiApi, text } from '../packages/port-contracts/dist/offline-api/index.js';
import { claudeCode } from './clients/claude-code.mjs';
import { codex } from './clients/codex.mjs';
import { httpServer, startHttpServer } from './clients/http-server.mjs';
import { readWhole, sawWhole } from './clients/read-whole.mjs';
import { runToEnd } from './clients/run-to-end.mjs';

const geminiCli = fileURLToPath(new URL('../node_modules/@google/gemini-cli/bundle/gemini.js', import.meta.url));
const stdioServer = fileURLToPath(new URL('../apps/mcp-stdio/dist/gemini-mcp-server.cjs', import.meta.url));

const chineseAnswer = Array.from(
  { length: 25_000 },
  (_, index) => `${index}\u654f\u6377\u7684\u68d5\u8272\u72d0\u72f8\u3002`,
)
  .join('')
  .slice(0, 300_000);

const finding = {
  ...{ path: 'src/sum.js', first_line: 1, last_line: 1, severity: 'high', category: 'bug', confidence: 'high' },
  title: 'The sum of an empty list throws.',
  why: 'reduce has no first value.',
  evidence: 'list.reduce((a, b) => a + b)',
  old_text: 'a + b)',
  new_text: 'a + b, 0)',
};

/**
 * `judge` returns null if all is well, otherwise the fault. `firstCall` is the call that the model makes of the user's `sentence`. `isLocal` is for what
 * needs the client's own project.
 */
const scenarios = [
  {
    name: 'a key in the shell: the answer and its account come',
    reply: text('The answer of Gemini.'),
    hasKey: true,
    judge: ({ results: [first = ''] }) =>
      /The answer of Gemini\.\s+Model: /.test(first) ? null : 'the answer or its account is not there',
  },
  {
    name: 'no key in the shell: the result says where this client takes one',
    reply: text('The answer of Gemini.'),
    hasKey: false,
    judge: ({ results: [first = ''], placeOfKey }) => (first.includes(placeOfKey) ? null : 'the advice is not there'),
  },
  {
    name: 'an answer of 300,000 Chinese characters is read whole',
    reply: text(chineseAnswer),
    hasKey: true,
    judge: (reader) =>
      sawWhole(chineseAnswer, reader) ? null : `it read to ${reader.offsets.at(-1)}, or other characters`,
  },
  {
    name: 'one sentence has a branch reviewed',
    sentence: 'Ask gemini to review the changes on this branch.',
    reply: text(JSON.stringify({ summary: 'Drops the first value.', findings: [finding] })),
    hasKey: true,
    isLocal: true,
    prepare: makeBranch,
    firstCall: { tool: 'gemini_review', args: { change: 'branch' } },
    judge: ({ results: [first = ''] }) =>
      // As text, or as data in the clients that show their model only that.
      /src\/sum\.js(:1\b|")/.test(first) && first.includes(finding.title) ? null : 'the finding is not there',
  },
];

/** A repository whose branch drops a value that `main` has. */
async function makeBranch(project) {
  const git = (...words) =>
    execa('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], { cwd: project });
  const commit = async (code) => {
    await writeFile(join(project, 'src/sum.js'), code);
    await git('add', '.');
    await git('commit', '-q', '-m', 'change');
  };
  await mkdir(join(project, 'src'));
  await git('init', '-q', '-b', 'main');
  await commit('export const sum = (list) => list.reduce((a, b) => a + b, 0);\n');
  await git('checkout', '-q', '-b', 'shorter');
  await commit('export const sum = (list) => list.reduce((a, b) => a + b);\n');
}

const token = 'a-token-of-the-tests-0123456789-abcdefghij';

/**
 * The servers, each with its program, which prints the settings for clients too, with what starts it where its clients do not, and
 * with what its advice on a missing login names: over stdio the place in the client's settings.
 */
const servers = [
  {
    name: 'stdio',
    program: stdioServer,
    start: () => ({ variables: {}, close: () => undefined }),
    placeOfKey: ({ placeOfKey }) => placeOfKey,
  },
  { name: 'HTTP', program: httpServer, start: startHttp, placeOfKey: () => 'GEMINI_API_KEY' },
];

/** Resolves to the variables of the client's shell, and an end. */
async function startHttp(environment) {
  const { origin, close } = await startHttpServer({ environment: { ...environment, GEMINI_MCP_TOKEN: token } });
  return { variables: { GEMINI_MCP_TOKEN: token, GEMINI_MCP_PORT: new URL(origin).port }, close };
}

/** Resolves to null if all is well, otherwise to the fault. */
async function tryScenario({ client, command, served, scenario }) {
  const root = await mkdtemp(join(tmpdir(), 'gemini-mcp-clients-'));
  const { reply, hasKey, judge, firstCall, sentence, prepare } = scenario;
  const api = await startOfflineGeminiApi({ reply });
  const reader = readWhole(firstCall);
  const model = await client.startModel({ nextCall: reader.nextCall });
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  await Promise.all([mkdir(home), mkdir(project)]);
  await prepare?.(project);
  const basis = { PATH: process.env.PATH, HOME: home, GEMINI_MCP_CLI: geminiCli };
  const login = hasKey ? api.environment() : {};
  const server = await served.start({ ...basis, ...login });
  try {
    const environment = { ...basis, ...login, ...server.variables };
    const printing = [served.program, '--print-config', client.name];
    const { stdout: printed } = await runToEnd(process.execPath, printing, { cwd: project, env: environment });
    const place = { command, home, project, environment };
    await client.add({ ...place, printed });
    const { exitCode, stdout, stderr } = await client.ask({ ...place, modelUrl: model.url, sentence });
    const { results, offsets } = reader;
    const wrong =
      exitCode === 0
        ? judge({ results, offsets, placeOfKey: served.placeOfKey(client) })
        : `it has ended with ${exitCode}`;
    return (
      wrong && `${wrong}.\nFirst result: ${results[0]?.slice(0, 1_000)}\nPrinted: ${`${stdout}${stderr}`.slice(-2_000)}`
    );
  } finally {
    await Promise.all([api.close(), model.close(), server.close()]);
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

for (const client of [codex, claudeCode]) {
  const command = await client.fetch();
  for (const served of servers) {
    for (const scenario of scenarios.filter(({ isLocal = false }) => !isLocal || served.name === 'stdio')) {
      const wrong = await tryScenario({ client, command, served, scenario });
      console.log(
        `${wrong ? 'NOT OK' : 'ok'}: ${client.name} over ${served.name}, ${scenario.name}${wrong ? `: ${wrong}` : ''}`,
      );
      process.exitCode = wrong ? 1 : process.exitCode;
    }
  }
}

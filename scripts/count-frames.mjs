// Counts our own functions along a call: `node scripts/count-frames.mjs` after `npm run build`. The server is composed as
// the program composes it, gets messages as over stdio, and calls an API or a CLI of this machine. Down: the stack,
// including async frames, of the request to the API or the CLI, together with the stack of the edge, from which a queue of
// the SDK separates it. Back: the functions that run once more for each further piece, by V8's counts.

import fs, { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const load = (path) => import(join(root, path));
const prompt = 'PROMPT-WHOSE-WAY-IS-FOLLOWED';
const [fewPieces, morePieces] = [20, 220];
/** Several pieces may come in one chunk, so what reads chunks runs less often. What tells the client speaks a few times a second. */
const minRunsPerPiece = 0.5;

const runOfCli = /at (?:Cli|Warm)GeminiRunner\.run /;

Error.stackTraceLimit = 200;
const home = mkdtempSync(join(tmpdir(), 'count-frames-'));
const project = join(home, 'project');
fs.mkdirSync(project);
writeFileSync(join(project, 'a.txt'), 'one\n');
process.chdir(project);

/** What the API answers next: a list of chunks for each request. */
const answers = [];
const api = createServer((request, response) => {
  request.resume().on('end', async () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of answers.shift() ?? [textChunk('Yes.', 'STOP')]) {
      response.write(`data: ${JSON.stringify(chunk)}\r\n\r\n`);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    response.end();
  });
});
await new Promise((resolve) => api.listen(0, '127.0.0.1', resolve));

const { createFakeGeminiCli, cliOpening } = await load('packages/fake-gemini/dist/index.js');
const { serveStdio } = await load('packages/mcp/dist/index.js');
const { startServer } = await load('apps/mcp-stdio/dist/start-server.js');
const { readStdioSettings } = await load('apps/mcp-stdio/dist/stdio-program.js');
const { SystemClock } = await load('packages/adapters-node/dist/index.js');
const undici = await load('packages/adapters-api/node_modules/undici/index.js');
const { Protocol } = await load('packages/mcp/node_modules/@modelcontextprotocol/sdk/dist/esm/shared/protocol.js');

/** A client's end of a server, composed as the program is, for these variables. */
async function openServer(variables) {
  Object.assign(process.env, {
    HOME: home,
    GEMINI_MCP_STATE_DIR: join(home, 'state'),
    GEMINI_MCP_AGENT: 'edit',
    GEMINI_MCP_LOG_LEVEL: 'error',
    ...variables,
  });
  const sources = { environment: process.env, flags: new Map(), currentDirectory: project };
  const { configuration } = readStdioSettings(sources);
  const logOptions = { level: 'error', stream: process.stderr, colors: false };
  const server = await startServer({ configuration, logOptions, onChange: () => undefined });
  const [stdin, stdout, end] = [new PassThrough(), new PassThrough(), new AbortController()];
  const { surface } = server;
  const log = ({ error }) => console.error(error);
  const options = { version: '0', clock: new SystemClock(), surface, asksForRoots: false, ownerOf: () => 'o', log };
  const served = serveStdio({ stdin, stdout, server: options }, end.signal);
  const client = clientOf(stdin, stdout);
  const clientInfo = { name: 'count-frames', version: '0' };
  await client.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  client.send({ method: 'notifications/initialized' });
  const close = async () => {
    end.abort();
    await served;
    await server.close();
  };
  const call = async (name, args) => {
    const params = { name, arguments: args, _meta: { progressToken: 1 } };
    const result = await client.request('tools/call', params);
    if (result.isError) {
      throw new Error(result.content[0].text);
    }
  };
  return { call, close };
}

function clientOf(stdin, stdout) {
  const waiting = new Map();
  let [text, next] = ['', 1];
  stdout.on('data', (bytes) => {
    const lines = (text + bytes).split('\n');
    text = lines.pop();
    for (const { id, result, error } of lines.map((line) => JSON.parse(line))) {
      waiting.get(id)?.(result ?? { isError: true, content: [{ text: JSON.stringify(error) }] });
    }
  });
  const send = (message) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (method, params) =>
    new Promise((resolve) => {
      const id = next;
      next += 1;
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  return { send, request };
}

/** Own functions on the stack, from its beginning. */
function ownFrames(stack, last = null) {
  const own = stack
    .split('\n')
    .filter((line) => line.includes(root) && !line.includes('node_modules') && !line.includes('count-frames'));
  const shown = own.map((line) => line.trim().replace('file://', '').replace(root, ''));
  const end = last === null ? -1 : shown.findIndex((line) => last.test(line));
  return end < 0 ? shown : shown.slice(0, end + 1);
}

/** Takes the first stack of a method that `isSought` accepts, while `act` runs. */
async function stackOf(object, method, isSought, act) {
  const original = object[method];
  let stack = '';
  object[method] = function (...args) {
    if (stack === '' && isSought(...args)) {
      ({ stack } = new Error());
    }
    return original.apply(this, args);
  };
  syncBuiltinESMExports();
  await act();
  object[method] = original;
  syncBuiltinESMExports();
  return stack;
}

async function framesDown(server, [object, method, isSought]) {
  let [wire, begun] = ['', ''];
  const edge = await stackOf(
    Protocol.prototype,
    '_onrequest',
    ({ method: name }) => name === 'tools/call',
    async () => {
      const ask = async () => {
        wire = await stackOf(object, method, isSought, () => server.call('gemini_query', { prompt }));
      };
      begun = await stackOf(SystemClock.prototype, 'now', () => runOfCli.test(new Error().stack), ask);
    },
  );
  // A run of the CLI goes on next to the generator that began it: that one reads the clock when it begins.
  const beginning = begun === '' ? '' : begun.slice(begun.search(runOfCli));
  return [wire, beginning, edge].flatMap((stack) => ownFrames(stack));
}

async function functionsBack(callWith) {
  const [few, more] = [await countRuns(() => callWith(fewPieces)), await countRuns(() => callWith(morePieces))];
  return [...more]
    .map(([name, count]) => [name, (count - (few.get(name) ?? 0)) / (morePieces - fewPieces)])
    .filter(([, perPiece]) => perPiece >= minRunsPerPiece)
    .map(([name, perPiece]) => `${name}  x${perPiece.toFixed(1)}`);
}

async function countRuns(act) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  await act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  const own = result.filter(({ url }) => url.includes(root) && !/node_modules|fake-gemini|count-frames/.test(url));
  return new Map(own.flatMap(({ url, functions }) => functions.map((each) => runsOf(fileURLToPath(url), each))));
}

function runsOf(path, { functionName, ranges }) {
  const [{ startOffset }] = ranges;
  const mark = /^(static )?async \*|^async function\*/.test(readFileSync(path, 'utf8').slice(startOffset))
    ? ' (generator)'
    : '';
  const name = `${relative(root, path)} ${functionName || `(at ${startOffset})`}${mark}`;
  // A generator is called once; the body of its loop is counted separately.
  return [name, Math.max(...ranges.map(({ count }) => count))];
}

function textChunk(text, finishReason) {
  return { candidates: [{ content: { role: 'model', parts: [{ text }] }, ...(finishReason && { finishReason }) }] };
}

function callChunk(name, args) {
  const parts = [{ functionCall: { name, args }, thoughtSignature: 's' }];
  return { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] };
}

function pieces(count) {
  return Array.from({ length: count }, (_, index) => `piece ${index} `);
}

/** A CLI that answers with `count` pieces, each in a write of its own. */
function fakeCli(count) {
  const say = { chunks: pieces(count), intervalMs: 3 };
  const finish = { do: 'event', event: { type: 'gemini-mcp/model-call', finishReason: 'STOP' } };
  const result = { do: 'result', status: 'success', usage: { inputTokens: 1, outputTokens: 1 } };
  return createFakeGeminiCli({
    directory: mkdtempSync(join(home, 'cli-')),
    scenario: { runs: [[...cliOpening(), { do: 'text', ...say }, finish, result]] },
    acp: { processes: [{ prompts: [[{ do: 'say', ...say }]] }] },
  });
}

function print(title, lines) {
  const generators = lines.filter((line) => line.includes('(generator)')).length;
  const more = title.endsWith('back') ? `, ${generators} generators` : '';
  console.log(`${title}: ${lines.length} functions${more}`, ...lines.map((line) => `\n  ${line}`));
}

const overApi = {
  GEMINI_MCP_RUNNER: 'api',
  GEMINI_API_KEY: 'none',
  GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${api.address().port}`,
};
const server = await openServer(overApi);
print('API, down', await framesDown(server, [undici.EnvHttpProxyAgent.prototype, 'dispatch', () => true]));
print(
  'API, back',
  await functionsBack(async (count) => {
    answers.push([...pieces(count).map((text) => textChunk(text)), textChunk('', 'STOP')]);
    await server.call('gemini_query', { prompt });
  }),
);
answers.push(
  [callChunk('view_file', { file_path: 'a.txt' })],
  [callChunk('change_file', { file_path: 'a.txt', old_string: 'one', new_string: 'two' })],
);
const change = await stackOf(
  fs,
  'renameSync',
  (_, to) => String(to).endsWith('a.txt'),
  () => server.call('gemini_agent', { task: 'Change it.', mode: 'edit' }),
);
print('A tool call of gemini_agent, from the runner to rename', ownFrames(change, /carryOut|answerWithTools/));
await server.close();

for (const way of ['warm', 'headless']) {
  const openCli = async (count) => openServer({ GEMINI_MCP_RUNNER: way, GEMINI_MCP_CLI: await fakeCli(count) });
  const cli = await openCli(1);
  const isPrompt = (chunk) => Buffer.from(chunk ?? '').includes(prompt);
  print(`${way} CLI, down`, await framesDown(cli, [Socket.prototype, way === 'warm' ? 'write' : 'end', isPrompt]));
  await cli.close();
  print(
    `${way} CLI, back`,
    await functionsBack(async (count) => {
      const asked = await openCli(count);
      await asked.call('gemini_query', { prompt });
      await asked.close();
    }),
  );
}
api.close();
api.closeAllConnections();
rmSync(home, { recursive: true, force: true });
process.exit(0);

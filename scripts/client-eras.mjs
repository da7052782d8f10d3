// In which era of the protocol real clients call the server over stdio and over HTTP, offline.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startOfflineGeminiApi, text } from '../packages/port-contracts/dist/offline-api/index.js';
import { claudeCode } from './clients/claude-code.mjs';
import { codex } from './clients/codex.mjs';
import { copilotCli } from './clients/copilot-cli.mjs';
import { httpServer, startHttpServer } from './clients/http-server.mjs';
import { opencode } from './clients/opencode.mjs';
import { readWhole } from './clients/read-whole.mjs';
import { recordHttp, recordStdio } from './clients/recorded-servers.mjs';
import { runToEnd } from './clients/run-to-end.mjs';

const stdioServer = fileURLToPath(new URL('../apps/mcp-stdio/dist/gemini-mcp-server.cjs', import.meta.url));

const token = 'a-token-of-the-tests-0123456789-abcdefghij';

const [older, modern] = ['2025-11-25 or older', '2026-07-28'];

const flag = 'mcp_2026_07_28';

/** The eras in which each client calls, as seen in November 2026, and the file for the printed settings of those that have no command. */
const clients = [
  { client: claudeCode, stdio: modern, http: modern },
  { client: codex, stdio: older, http: older },
  { client: codex, flags: ['--enable', flag], stdio: older, http: modern },
  { client: copilotCli, file: '.copilot/mcp-config.json', stdio: modern, http: modern },
  { client: opencode, file: '.config/opencode/opencode.json', stdio: older, http: older },
];

/** The servers on each transport: both resolve to the settings for the client, variables for its shell, and what has been recorded. */
const transports = {
  stdio: async ({ root, print }) => {
    const { program, readMessages } = await recordStdio({ directory: root, server: stdioServer });
    const printed = (await print(stdioServer)).replaceAll(stdioServer, program);
    return { printed, variables: {}, readMessages, close: () => undefined };
  },
  http: async ({ environment, print }) => {
    const server = await startHttpServer({ environment: { ...environment, GEMINI_MCP_TOKEN: token } });
    const { port, readMessages, close } = await recordHttp(server.origin);
    const variables = { GEMINI_MCP_TOKEN: token, GEMINI_MCP_PORT: `${port}` };
    const closeAll = async () => {
      close();
      await server.close();
    };
    return { printed: await print(httpServer, variables), variables, readMessages, close: closeAll };
  },
};

/** Lets a client call once. Resolves to the requests that it has sent, and to the first result, as its model got it. */
async function callOnce({ client, file, flags = [], transport }) {
  const root = await mkdtemp(join(tmpdir(), 'gemini-mcp-eras-'));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  await Promise.all([home, project].map((path) => mkdir(path)));
  const api = await startOfflineGeminiApi({ reply: text('The answer of Gemini.') });
  const reader = readWhole();
  const model = await client.startModel({ nextCall: reader.nextCall });
  const environment = { PATH: process.env.PATH, HOME: home, ...api.environment() };
  const print = async (program, variables = {}) => {
    const env = { ...environment, ...variables };
    return (await runToEnd(process.execPath, [program, '--print-config', client.name], { cwd: project, env })).stdout;
  };
  const server = await transports[transport]({ root, environment, print });
  try {
    const command = await client.fetch();
    const place = { command, home, project, environment: { ...environment, ...server.variables } };
    await add(client, { ...place, file, printed: server.printed });
    await client.ask({ ...place, flags, modelUrl: model.url });
    return { messages: await server.readMessages(), result: reader.results[0] ?? 'none' };
  } finally {
    await Promise.all([api.close(), model.close(), server.close()]);
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function add(client, { file, ...place }) {
  if (file === undefined) {
    await client.add(place);
    return;
  }
  const { home, printed } = place;
  await mkdir(dirname(join(home, file)), { recursive: true });
  await writeFile(join(home, file), printed.slice(printed.indexOf('{'), printed.lastIndexOf('}') + 1));
}

function eraOf(messages) {
  const call = messages.find(({ method }) => method === 'tools/call');
  return call?.params._meta?.['io.modelcontextprotocol/protocolVersion'] ?? older;
}

for (const { client, flags, file, ...eras } of clients) {
  for (const transport of ['stdio', 'http']) {
    const { messages, result } = await callOnce({ client, file, flags, transport });
    const era = eraOf(messages);
    const isRight = era === eras[transport] && result.includes('The answer of Gemini.');
    const sent = [...new Set(messages.flatMap(({ method = [] }) => method))].join(', ');
    const name = [client.name, ...(flags ?? [])].join(' ');
    console.log(`${isRight ? 'ok' : 'NOT OK'}: ${name} over ${transport}, ${era}: ${sent}`);
    if (!isRight) {
      console.log(`Expected ${eras[transport]}. Result: ${result.slice(0, 1_000)}`);
      process.exitCode = 1;
    }
  }
}

// One call of 20 minutes from Claude Code and from Codex, offline, each twice: the client gets the answer whole in the end, and a client that is
// killed meanwhile finds it when it comes back. Prints each result as the client's model got it. `long-calls.mjs 2 20` takes two minutes, with
// clients whose patience is said to be 20 seconds.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startOfflineGeminiApi, text } from '../packages/port-contracts/dist/offline-api/index.js';
import { claudeCode } from './clients/claude-code.mjs';
import { codex } from './clients/codex.mjs';
import { runToEnd } from './clients/run-to-end.mjs';

const server = fileURLToPath(new URL('../apps/mcp-stdio/dist/gemini-mcp-server.cjs', import.meta.url));

const [minutes = 20, limitSeconds] = process.argv.slice(2).map(Number);
const callMs = minutes * 60_000;
const pieces = 60;
const limit = limitSeconds === undefined ? {} : { GEMINI_MCP_CALL_LIMIT_SECONDS: `${limitSeconds}` };

/** A line of the answer at each sixtieth of the time, as of a model that writes slowly. */
function slowAnswer() {
  return Array.from({ length: pieces }, (_, index) => ({
    text: `Line ${index + 1} of a long thought.\n`,
    after: delay((callMs / pieces) * (index + 1), undefined, { ref: false }),
  }));
}

const lastLine = `Line ${pieces} of a long thought.`;

function isWhole(result = '') {
  return Array.from({ length: pieces }, (_, index) => `Line ${index + 1} of a long thought.`).every((line) =>
    result.includes(line),
  );
}

const waitFor = (handle) => ({ tool: 'gemini_job', args: { handle, action: 'wait' } });

function handleIn(result) {
  return /handle "([^"]+)"/.exec(result)?.[1];
}

/** The script of the client's model: asks once, then waits as each result says. `onHandle` is called when the call has become a job. */
function askAndWait({ say, onHandle = () => undefined }) {
  return (results) => {
    const last = results.at(-1);
    if (last === undefined) {
      return { tool: 'gemini_query', args: { prompt: 'Think for long.', timeout: minutes * 90 } };
    }
    say(results.length, last);
    const handle = handleIn(last);
    if (handle !== undefined && !last.includes(lastLine)) {
      onHandle();
      return waitFor(handle);
    }
    return null;
  };
}

/** The script after the client was killed: lists the jobs, and takes the result of the one there is. */
function comeBack({ say }) {
  return (results) => {
    const last = results.at(-1);
    if (last === undefined) {
      return { tool: 'gemini_job', args: {} };
    }
    say(results.length, last);
    const handle = /- (\S+): /.exec(last)?.[1];
    return results.length === 1 && handle !== undefined ? waitFor(handle) : null;
  };
}

function childrenOf(pid) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ')[1] === `${pid}`;
      } catch {
        return false;
      }
    });
}

/** Kills a client with all that it has started, except our server. */
function killClient(pid) {
  for (const child of childrenOf(pid)) {
    if (!readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(server)) {
      killClient(Number(child));
    }
  }
  process.kill(pid, 'SIGKILL');
}

/** Resolves to null if all is well, otherwise to the fault. */
async function tryClient({ client, command, isKilled }) {
  const name = `${client.name}${isKilled ? ', killed' : ''}`;
  const startedAt = Date.now();
  const root = await mkdtemp(join(tmpdir(), 'gemini-mcp-long-calls-'));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  await Promise.all([mkdir(home), mkdir(project)]);
  const api = await startOfflineGeminiApi({ reply: text(slowAnswer()) });
  const environment = { PATH: process.env.PATH, HOME: home, ...api.environment(), ...limit };
  const place = { command, home, project, environment };
  const { stdout } = await runToEnd(process.execPath, [server, '--print-config', client.name], { env: environment });
  const printed = stdout.replace('env_vars = [', 'env_vars = ["GEMINI_MCP_CALL_LIMIT_SECONDS", ');
  let lastResult;
  const say = (number, result) => {
    lastResult = result;
    const seconds = Math.round((Date.now() - startedAt) / 1_000);
    const short = result.replace(/(?:(?:\| )?Line \d+ of a long thought\.\n)+(?=(?:\| )?Line \d)/g, '…\n');
    console.log(`${name}, after ${seconds} s, result ${number}:\n${short.replace(/^/gm, '    ')}`);
  };
  const ask = async (nextCall, onStart) => {
    const model = await client.startModel({ nextCall });
    try {
      return await client.ask({ ...place, modelUrl: model.url, onStart, timeout: callMs + 300_000 });
    } finally {
      await model.close();
    }
  };
  try {
    await client.add({ ...place, printed });
    let pid;
    const onHandle = () => isKilled && killClient(pid);
    const first = await ask(askAndWait({ say, onHandle }), (started) => {
      pid = started;
    });
    if (isKilled) {
      console.log(`${name}, after ${Math.round((Date.now() - startedAt) / 1_000)} s: killed`);
      await delay(Math.max(0, startedAt + callMs + 15_000 - Date.now()));
      await ask(comeBack({ say }));
    } else if (first.exitCode !== 0) {
      return `it has ended with ${first.exitCode}: ${first.stderr.slice(-2_000)}`;
    }
    const asked = api.requests.filter(({ method }) => /generateContent$/i.test(method)).length;
    return isWhole(lastResult) ? (asked > 1 ? `Gemini was asked ${asked} times` : null) : 'the answer is not whole';
  } finally {
    await api.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

const attempts = [];
for (const client of [claudeCode, codex]) {
  const command = await client.fetch();
  attempts.push(...[false, true].map((isKilled) => ({ client, command, isKilled })));
}
await Promise.all(
  attempts.map(async (attempt) => {
    const wrong = await tryClient(attempt);
    const name = `${attempt.client.name}${attempt.isKilled ? ', killed' : ''}`;
    console.log(`${wrong ? 'NOT OK' : 'ok'}: a call of ${minutes} min from ${name}${wrong ? `: ${wrong}` : ''}`);
    process.exitCode = wrong ? 1 : process.exitCode;
  }),
);

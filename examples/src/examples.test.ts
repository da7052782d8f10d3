import { readFileSync } from 'node:fs';
import { processesWith } from '@gemini-mcp/fake-gemini';
import { text, toolCall } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExamplePlace } from './testing/example-place.ts';

let place: ExamplePlace;

beforeEach(async () => {
  place = await ExamplePlace.create();
  await place.write('src/add.ts', 'export const add = (one: number, other: number): number => one + other;\n');
  place.api.reply(text('It adds.'));
});

afterEach(() => place.dispose());

/** Whether the last question brought the file with it. */
function fileArrived(): boolean {
  return place.api.requests.at(-1)?.userText.join('').includes('export const add') ?? false;
}

describe('an example', () => {
  it('asks in a script', async () => {
    expect(await place.run('ask-gemini.ts')).toEqual({ exitCode: 0, stdout: 'It adds.\n', stderr: '' });
    expect(fileArrived()).toBe(true);
    expect(await place.leftovers()).toEqual([]);
  });

  it('is a tool of the Vercel AI SDK, which a model calls', async () => {
    const stdout = 'It adds.\nGemini has answered.\n';
    expect(await place.run('programs/call-vercel-ai-tool.ts')).toEqual({ exitCode: 0, stdout, stderr: '' });
    expect(fileArrived()).toBe(true);
    expect(await place.leftovers()).toEqual([]);
  });

  it('is a tool of LangChain', async () => {
    expect(await place.run('programs/invoke-langchain-tool.ts')).toEqual({
      exitCode: 0,
      stdout: 'It adds.\n',
      stderr: '',
    });
    expect(fileArrived()).toBe(true);
    expect(await place.leftovers()).toEqual([]);
  });

  it('asks the API itself, and starts no CLI', async () => {
    place.useCli('/nonexistent/gemini');
    expect(await place.run('ask-over-api.ts')).toEqual({ exitCode: 0, stdout: 'It adds.\n', stderr: '' });
    expect(fileArrived()).toBe(true);
    expect(await place.leftovers()).toEqual([]);
  });

  it('looks into a directory, works in the project, and takes it back', async () => {
    const put = { file_path: 'README.md', content: 'Adds numbers.\n' };
    const replies = [text('It adds.'), toolCall('put_file', put), text('Written.')];
    place.api.reply((_, index) => replies[index] ?? text('No more.'));
    const { stdout, stderr } = await place.run('work-on-project.ts', '--undo');
    expect({ stdout, stderr }).toEqual({
      stdout: 'It adds.\nWritten.\nREADME.md\n1 paths put back\n',
      stderr: '',
    });
  });

  it('connects its own MCP server for Gemini, and ends it', async () => {
    place.useCli('/nonexistent/gemini');
    const calls = [toolCall('everything__get-sum', { a: 19, b: 23 }), toolCall('everything__echo', { message: 'hi' })];
    const replies = [...calls, text('It is 42.')];
    place.api.reply((_, index) => replies[index] ?? text('No more.'));
    const { exitCode, stdout, stderr } = await place.run('lend-server.ts');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(
      /^It is 42\.\nCalled get-sum of everything .*: done after .*\nRefused .*echo .*denied-by-user/,
    );
    expect(place.api.requests[0]?.functionNames).toEqual(['everything__echo', 'everything__get-sum']);
    expect(JSON.stringify(place.api.requests[1]?.contents.at(-1))).toContain('The sum of 19 and 23 is 42.');
    expect(processesWith(place.root)).toEqual([]);
    expect(await place.leftovers()).toEqual([]);
  });

  it('asks over REST, and starts no CLI', async () => {
    place.useCli('/nonexistent/gemini');
    expect(await place.run('programs/ask-over-rest.ts')).toEqual({ exitCode: 0, stdout: 'It adds.\n', stderr: '' });
    expect(fileArrived()).toBe(true);
    expect(await place.leftovers()).toEqual([]);
  });

  it('serves MCP to the official client', async () => {
    const { exitCode, stdout, stderr } = await place.run('programs/query-over-mcp.ts');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const [status, tools, content] = stdout.split('\n');
    expect(status).toBe('401');
    expect(tools?.split(' ')).toContain('gemini_query');
    expect(content).toContain('It adds.');
    expect(fileArrived()).toBe(true);
    expect(await place.leftovers()).toEqual([]);
  });
});

describe.each(['hono', 'express'])('a route of %s', (name) => {
  it('streams what happens, the result last', async () => {
    const { exitCode, stdout, stderr } = await place.run(`programs/ask-${name}.ts`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const events = [...stdout.matchAll(/^event: (.*)$/gm)].map(([, event]) => event);
    expect(events).toEqual(['asking', 'text', 'result']);
    expect(stdout).toContain('It adds.');
    expect(await place.leftovers()).toEqual([]);
  });

  it('cancels its call when the request is closed', async () => {
    const never = new Promise(() => undefined);
    place.api.reply(text(['It ', { text: 'adds.', after: never }]));
    // Only a call that has ended lets the program end: its own deadline is ten minutes.
    expect(await place.run(`programs/ask-${name}.ts`, '--leave')).toMatchObject({ exitCode: 0, stderr: '' });
    await place.api.requests.at(-1)?.whenAborted();
    expect(await place.leftovers()).toEqual([]);
  });
});

it.each([
  ['embedding', 'ask-gemini.ts'],
  ['embedding', 'ask-over-api.ts'],
  ['embedding', 'lend-server.ts'],
  ['embedding', 'vercel-ai-tool.ts'],
  ['embedding', 'langchain-tool.ts'],
  ['embedding', 'hono-route.ts'],
  ['embedding', 'express-route.ts'],
  ['embedding', 'mcp-route.ts'],
  ['contracts', 'rest-gemini-runner.ts'],
  ['contracts', 'rest-gemini-runner.test.ts'],
  ['embedding', 'word-count-server.ts'],
  ['embedding', 'release-server.ts'],
  ['embedding', 'picture-server.ts'],
  ['embedding', 'sign-in-server.ts'],
  ['embedding', 'principals-route.ts'],
  ['contracts', 'sqlite-session-store.ts'],
  ['contracts', 'sqlite-session-store.test.ts'],
])('docs/%s.md shows %s as it is', (document, name) => {
  const page = readFileSync(new URL(`../../docs/${document}.md`, import.meta.url), 'utf8');
  const code = readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
  const [, shown] = page.split(`\`\`\`ts\n// ${name}\n`);
  expect(shown?.split('```', 1)[0]).toBe(code);
});

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyGeminiCliWithoutPolicy, offeredName } from '@gemini-mcp/fake-gemini';
import {
  type JsonRecord,
  type RecordedRequest,
  type Reply,
  text,
  toolCall,
} from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

type Call = readonly [name: string, args: JsonRecord];

const canary = 'canary-of-another-user';

const waysOut = [
  '../../../**/*',
  '[.][.]/[.][.]/[.][.]/**/*',
  '{[,x}.]./{[,x}.]./{[,x}.]./*/*',
  '/etc/*',
  '@(.)@(.)/**/*',
];

const catastrophic = ['(a+)+$', '(a|a)*$', '(a*)*\\1b', '(?=(a+)+$)b', 'a*a*a*a*a*a*b', '(.*a){12}$'];

const calls: readonly Call[] = [
  ['list_files', { pattern: '*.txt' }],
  ...waysOut.map((pattern): Call => ['list_files', { pattern }]),
  // Tools of the CLI, which it is not to use.
  ...waysOut.map((pattern): Call => ['glob', { pattern }]),
  ...catastrophic.map((pattern): Call => ['search_files', { pattern, is_regex: true }]),
];

/** A model that is hostile to some requests, and kind to all others. */
function reply(request: RecordedRequest): Reply {
  const { body, contents } = request;
  const [name, args] = JSON.stringify(body).includes('Be hostile') ? (calls[(contents.length - 1) / 2] ?? []) : [];
  return name === undefined || args === undefined ? text('done') : toolCall(offeredName(request, name), args);
}

/** The policy denies all of this first. Here the CLI has no policy, so only the second wall can deny it. */
describe('the built server with a hostile model and a CLI without its policy', () => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create('warm');
    await mkdir(join(setup.root, 'elsewhere'));
    await writeFile(join(setup.root, 'elsewhere', `${canary}.txt`), canary);
    await writeFile(join(setup.project, 'a.txt'), `hello ${'a'.repeat(20_000)}!\n`.repeat(20));
  });

  afterEach(() => setup.dispose());

  it('PATTERN-01, PATTERN-04, PATTERN-06: reveals no name outside, and keeps answering others', async () => {
    setup.api.reply(reply);
    const cli = await copyGeminiCliWithoutPolicy(join(setup.root, 'cli-without-policy'));
    const server = await setup.start({ GEMINI_MCP_CLI: cli });
    const chat = (prompt: string) => server.call('chat', { prompt });
    await chat('Be kind');
    const hostile = chat('Be hostile');
    const others = [await chat('Be kind'), await chat('Be kind'), await chat('Be kind')];
    expect([await hostile, ...others].map(({ isError }) => isError)).toEqual([false, false, false, false]);
    expect(server.stderr).not.toMatch(/"warm-retried"|"reason":"fault"/);
    const [found = '', ...results] = setup.api.requests
      .map(({ contents }) => contents.at(-1)?.parts)
      .filter((parts) => JSON.stringify(parts).includes('functionResponse'))
      .map((parts) => JSON.stringify(parts));
    expect(found).toContain('a.txt');
    expect(results).toHaveLength(calls.length - 1);
    expect(results.slice(0, waysOut.length).filter((result) => !/Nothing found|Refused/.test(result))).toEqual([]);
    expect(results.join()).not.toContain(canary);
  });
});

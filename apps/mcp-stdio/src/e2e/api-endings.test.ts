import {
  blocked,
  brokenBy,
  cut,
  dailyQuota,
  empty,
  noFinish,
  overloaded,
  promptBlocked,
  type Reply,
  rateLimited,
  text,
  thoughtsOnly,
} from '@gemini-mcp/port-contracts/offline-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerProcess, ToolResult } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

/** `FinishReason` and `BlockedReason` of the Gemini API (`@google/genai` 3.1.0), and one of each that there is not. */
const finishReasons = [
  ...[
    'STOP',
    'MAX_TOKENS',
    'CONTINUATION',
    'SAFETY',
    'RECITATION',
    'LANGUAGE',
    'OTHER',
    'BLOCKLIST',
    'PROHIBITED_CONTENT',
  ],
  ...['SPII', 'MALFORMED_FUNCTION_CALL', 'MALFORMED_RESPONSE', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS'],
  ...['IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION', 'IMAGE_OTHER', 'NO_IMAGE', 'SOMETHING_NEW'],
];
const blockReasons = [
  'SAFETY',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'IMAGE_SAFETY',
  'MODEL_ARMOR',
  'JAILBREAK',
  'SOMETHING_NEW',
];

const said = 'A piece of text.';

/** What the API does, by what the page calls it. */
const replies: ReadonlyMap<string, Reply> = new Map<string, Reply>([
  ...finishReasons.map((reason) => [`text, \`${reason}\``, text(said, { finishReason: reason })] as const),
  ...finishReasons.map((reason) => [`no text, \`${reason}\``, blocked('', reason)] as const),
  ...blockReasons.map((reason) => [`the prompt blocked, \`${reason}\``, promptBlocked(reason)] as const),
  ['text, no finish reason', noFinish(said)],
  ['a stream of nothing', noFinish()],
  ['an answer without parts', empty()],
  ['thoughts and nothing else', thoughtsOnly()],
  ['text, then an error in the stream (503)', brokenBy(overloaded(), [said])],
  ['text, then the connection breaks off', cut([said])],
  ['the quota of a minute, `RetryInfo` of 41 s', rateLimited(41)],
  ['the quota of a day, `RetryInfo` of 41 s', dailyQuota(41)],
]);

let setup: ServerSetup;
let server: ServerProcess;
let results: ReadonlyMap<string, ToolResult>;

beforeAll(async () => {
  setup = await ServerSetup.create();
  const names = [...replies.keys()];
  setup.api.reply(({ userText }) => replies.get(names[Number(userText.join(''))] ?? '') ?? empty());
  server = await setup.startWithoutCli({ GEMINI_MCP_MAX_RUNNING: '16' });
  results = new Map(
    await Promise.all(
      names.map(async (name, index) => {
        return [name, await server.query({ prompt: `${index}`, model: 'gemini-3.8-flash', timeout: 40 })] as const;
      }),
    ),
  );
});

afterAll(() => setup.dispose());

const introduction = `# How answers over the API end

On this page you look up the result of \`gemini_query\` for each way in which the Gemini API can end an answer.

An answer has the text, and a warning in the next block if the text may be cut. A failure has \`isError\`, a first line with the reason, and any earlier text as a quotation. The
server retries temporary failures within the time of the call, 40 s here; the last column has the number of requests to the API.
[A test](../apps/mcp-stdio/src/e2e/api-endings.test.ts) asks the built server and writes this page.`;

function rowOf(name: string, { isError, text: read }: ToolResult): string {
  const lines = read.split('\n');
  const warning = isError ? undefined : lines.find((line) => line.startsWith('[WARNING'));
  const told = warning ?? lines[0] ?? '';
  const tried = /^Tried: \S+ (\d)/m.exec(read)?.[1] ?? '1';
  const line = isError || warning !== undefined ? `\`${told.replace(/^Gemini gave no answer: /, '')}\`` : '';
  const kept = read.includes(said) ? 'yes' : 'no';
  return `| ${name} | ${isError ? 'failure' : 'answer'} | ${line} | ${kept} | ${tried} |`;
}

describe('the ends of an answer over the API, as a client of the built server reads them', () => {
  it('are what docs/endings.md shows', async () => {
    const head = [
      '| Reply of the API | Result | First line, or warning | Text kept | Requests |',
      '|---|---|---|---|---|',
    ];
    const rows = [...results].map(([name, result]) => rowOf(name, result));
    await expect([introduction, '', ...head, ...rows, ''].join('\n')).toMatchFileSnapshot(
      '../../../../docs/endings.md',
    );
    for (const [name, { isError, text: read }] of results) {
      // Text that came is never lost, and no answer is without text.
      expect.soft(read.includes(said), name).toBe(name.startsWith('text, '));
      expect.soft(isError || read.includes(said), name).toBe(true);
      expect.soft(read, name).not.toContain('undefined');
    }
  });

  it('say that the text is cut, and why an answer has no text', async () => {
    expect(results.get('text, `MAX_TOKENS`')?.text).toMatch(/^A piece of text\..*\n\[WARNING: The answer is cut: /);
    expect(results.get('no text, `MAX_TOKENS`')?.text).toContain('its thoughts count too');
    expect(results.get('the prompt blocked, `MODEL_ARMOR`')?.text).toContain('Block reason of the API: MODEL_ARMOR');
    expect(results.get('the quota of a minute, `RetryInfo` of 41 s')?.text).toContain('Try again in 41 seconds');
    expect(results.get('the quota of a day, `RetryInfo` of 41 s')?.text).not.toContain('41 seconds');
  });

  it('name another model that answered', async () => {
    const other = text(said);
    setup.api.reply({ ...other, responseFields: { modelVersion: 'gemini-3.5-flash-lite' } });
    expect((await server.query({ prompt: 'Who?', model: 'gemini-2.5-flash' })).text).toContain(
      'Model: gemini-3.5-flash-lite (another model than gemini-2.5-flash, which was asked for)',
    );
  });
});

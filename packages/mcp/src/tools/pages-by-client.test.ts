import { describe, expect, it } from 'vitest';
import { ConnectedTools } from '../testing/connected-tools.ts';

type Block = { readonly type: string; readonly text?: string };
type Result = { readonly content: readonly Block[]; readonly _meta?: unknown };

const textOf = ({ content }: Result): string => content.map(({ text = '' }) => text).join('\n');

/** As Copilot CLI shows them to its model. */
const joinedTextOf = ({ content }: Result): string => content.map(({ text = '' }) => text).join('');

/** The part of a result that a client shows its model, as measured. */
const clients: Readonly<Record<string, (result: Result) => string>> = {
  'claude-code': (result) => (textOf(result).length > 50_000 ? 'Output too large, saved to a file' : textOf(result)),
  'codex-mcp-client': textOf,
  'gemini-cli-mcp-client': textOf,
  opencode: textOf,
  'continue-cli-client': textOf,
  'github-copilot-developer': (result) => preview(joinedTextOf(result), 20_000, 500),
  'qwen-cli-mcp-client-gemini': (result) => preview(textOf(result), 25_000, 2_000),
  Cline: (result) => cutMiddle(JSON.stringify(result), 8_000),
};

function preview(text: string, whole: number, shown: number): string {
  return Buffer.byteLength(text) > whole ? `Saved to a file. It begins:\n${text.slice(0, shown)}` : text;
}

function cutMiddle(text: string, shown: number): string {
  return text.length > shown ? `${text.slice(0, shown / 2)}[cut]${text.slice(-shown / 2)}` : text;
}

/** Lines as of code and prose, each of them once in the answer. */
const answer = Array.from({ length: 6_000 }, (_, index) => `line ${index}: const "name" = '${'ab c'.repeat(7)}';`)
  .join('\n')
  .slice(0, 300_000);

/** The part of the answer in a result; fails unless the model sees all of it. */
function readFrom(result: Result, show: (result: Result) => string): string {
  const [part = ''] = result.content.flatMap(({ text = '' }) => (text.includes('line ') ? [text] : []));
  const shown = show(result);
  expect([part, JSON.stringify(part).slice(1, -1)].some((form) => shown.includes(form))).toBe(true);
  return part;
}

const handleNote = /gemini_read: handle \\?"(\w+)\\?", offset (\d+)/;

describe('300,000 characters are read whole by a model that follows the notes that it sees', () => {
  it.each(Object.entries(clients))('in %s', async (name, show) => {
    const tools = new ConnectedTools({ script: () => ({ chunks: [answer] }) });
    const client = await tools.connect(name);
    const call = async (tool: string, args: Record<string, unknown>): Promise<Result> =>
      (await client.callTool({ name: tool, arguments: args })) as Result;
    let result = await call('gemini_query', { prompt: 'x' });
    const [, handle, offset] = handleNote.exec(show(result)) ?? [];
    const read = [readFrom(result, show)];
    let next = offset;
    while (next !== undefined) {
      result = await call('gemini_read', { handle, offset: Number(next) });
      read.push(readFrom(result, show));
      next = /Read on with offset (\d+)/.exec(show(result))?.[1];
    }
    expect(read.join('')).toBe(answer);
    expect(read.length).toBeLessThanOrEqual(name === 'Cline' ? 80 : 20);
  });

  it.each(['github-copilot-developer', 'copilot-cli'])(
    'keeps our text apart from that of Gemini in %s',
    async (name) => {
      const client = await new ConnectedTools({ script: () => ({ chunks: ['The answer.'] }) }).connect(name);
      const result = (await client.callTool({ name: 'chat', arguments: { prompt: 'x' } })) as Result;
      expect(joinedTextOf(result)).toMatch(/^The answer\.\n\nSession: /);
      expect(result.content[0]?.text).toBe('The answer.');
    },
  );

  it('shows no meta where the model would read it, and the note first where the end is cut off', async () => {
    const tools = new ConnectedTools({ script: () => ({ chunks: [answer] }) });
    const cline = (await (
      await tools.connect('Cline')
    ).callTool({ name: 'gemini_query', arguments: { prompt: 'x' } })) as Result;
    expect(cline._meta).toBeUndefined();
    expect(cline.content[0]?.text).toMatch(handleNote);
    const claude = (await (
      await tools.connect('claude-code')
    ).callTool({ name: 'gemini_query', arguments: { prompt: 'x' } })) as Result;
    expect(claude._meta).toBeDefined();
    expect(claude.content[0]?.text).toMatch(/^line 0:/);
  });
});

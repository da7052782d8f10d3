import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectedTools } from '../testing/connected-tools.ts';

const line = 'The quick brown fox jumps over the lazy dog \u{1f98a}.\n';
const longText = line.repeat(Math.ceil(300_000 / line.length)).slice(0, 300_000);

function handleIn(text: string): string {
  return /handle "([^"]+)"/.exec(text)?.[1] ?? 'none';
}

describe('long answers', () => {
  it('a 300,000-character answer is read back whole', async () => {
    const tools = new ConnectedTools({ script: () => ({ chunks: [longText], usage: [] }) });
    const first = await tools.call('gemini_query', { prompt: 'Write' });
    expect(Buffer.byteLength(first.text)).toBeLessThanOrEqual(40_000);
    const handle = handleIn(first.text);
    const stored = await tools.answers.load('alice', handle, new AbortController().signal);
    expect(stored?.text).toBe(longText);

    let read = '';
    for (let parts = 0; read.length < longText.length && parts < 20; parts += 1) {
      const {
        parts: [part = ''],
        text,
        isError,
      } = await tools.call('gemini_read', { handle, offset: read.length });
      expect(isError).toBe(false);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(40_000);
      read += part;
    }
    expect(read === longText).toBe(true);
  });

  it('an answer in any scripts is read back whole by the offsets that the results name, each in 40,000 bytes', async () => {
    const words = [
      'fox ',
      '\n',
      '\u0436\u0443\u043a',
      '\u6f22\u5b57',
      '\u{1f98a}',
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
      'e\u0301',
      '\u{20000}',
    ];
    const passage = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 30 }).map((parts) => parts.join(''));
    const longAnswer = fc
      .array(fc.tuple(passage, fc.integer({ min: 1, max: 500 })), { minLength: 1, maxLength: 12 })
      .map(
        (passages) =>
          `Begin: ${passages.map(([text, times]) => text.repeat(times)).join('')}${'\u6f22'.repeat(14_000)}`,
      );
    await fc.assert(
      fc.asyncProperty(longAnswer, async (answer) => {
        const tools = new ConnectedTools({ script: () => ({ chunks: [answer] }) });
        const first = await tools.call('gemini_query', { prompt: '\u6f22'.repeat(200) });
        expect(Buffer.byteLength(first.text)).toBeLessThanOrEqual(40_000);
        const handle = handleIn(first.text);
        let offset: number | null = Number(/offset (\d+); or give/.exec(first.text)?.[1]);
        let read = first.parts[0] ?? '';
        expect(read).toHaveLength(offset);
        while (offset !== null) {
          const {
            parts: [part = '', place = ''],
            text,
          } = await tools.call('gemini_read', { handle, offset });
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(40_000);
          read += part;
          const next = /Read on with offset (\d+)\./.exec(place)?.[1];
          expect(next !== undefined || place.includes('This is its end.')).toBe(true);
          offset = next === undefined ? null : Number(next);
        }
        expect(read === answer).toBe(true);
      }),
      { numRuns: 5 },
    );
  });

  it.each([
    ['lines', { lines: '1-' }],
    ['a search for a word', { search: '\u72d0' }],
    ['a search for many', { search: '\u72d0\u72f8'.repeat(100) }],
  ])('%s of a Chinese answer take no more bytes than a result may', async (_, place) => {
    const tools = new ConnectedTools({ script: () => ({ chunks: [`${'\u72d0\u72f8'.repeat(199)}\n`.repeat(400)] }) });
    const handle = handleIn((await tools.call('gemini_query', { prompt: 'Write' })).text);
    const { text } = await tools.call('gemini_read', { handle, ...place });
    expect(text).toContain('\u72d0');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(40_000);
  });

  it('names of Chinese files that are missing fill a preview and an answer no further', async () => {
    const files = Array.from({ length: 1_000 }, (_, index) => `${'\u6f22'.repeat(100)}${index}`);
    const tools = new ConnectedTools({ tree: { 'a.ts': 'one' } });
    for (const tool of ['gemini_query', 'gemini_context']) {
      const { text } = await tools.call(tool, { prompt: 'Why?', files: ['a.ts', ...files.slice(1)] });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(40_000);
    }
  });

  it('a cut answer that is read in parts says so with its first part, and at its end (CUT-04)', async () => {
    const tools = new ConnectedTools({ script: () => ({ chunks: [longText], ending: { type: 'output-limit' } }) });
    const { text } = await tools.call('gemini_query', { prompt: 'Write' });
    expect(text).toContain('\n[WARNING: The answer is cut: ');
    const handle = handleIn(text);
    const last = await tools.call('gemini_read', { handle, offset: 299_000 });
    expect(last.parts[1]).toMatch(/^\[[^\]]* The answer is cut here: Gemini reached the limit [^\]]*\]$/);
    const middle = await tools.call('gemini_read', { handle, offset: 1_000 });
    expect(middle.text).not.toContain('cut here');
  });

  it('shows the first part, and with the account how to read on', async () => {
    const usage = [{ model: 'gemini-3.1-pro-preview', inputTokens: 1, outputTokens: 2 }];
    const tools = new ConnectedTools({ script: () => ({ chunks: [longText], usage }) });
    const {
      parts: [part = '', account],
    } = await tools.call('gemini_query', { prompt: 'Write' });
    expect(longText.startsWith(part)).toBe(true);
    expect(account).toMatch(
      /^\[Shown: the first [\d,]+ of 300,000 characters\. [^\]]*\]\nModel: gemini-3\.1-pro-preview/,
    );
  });

  it('reads lines, and finds words', async () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}`).join('\n');
    const tools = new ConnectedTools({ script: () => ({ chunks: [text] }) });
    const handle = handleIn((await tools.call('gemini_query', { prompt: 'Count' })).text);
    expect((await tools.call('gemini_read', { handle, lines: '500-502' })).text).toContain(
      'line 500\nline 501\nline 502',
    );
    expect((await tools.call('gemini_read', { handle, search: 'LINE 12345' })).text).toContain('line 12345');
    expect(await tools.call('gemini_read', { handle, lines: '1', offset: 1 })).toMatchObject({ isError: true });
  });

  it('says of a word that occurs too often to be shown where the next one is', async () => {
    const text = `${'fox '.repeat(20_000)}\n`.repeat(2);
    const tools = new ConnectedTools({ script: () => ({ chunks: [text] }) });
    const handle = handleIn((await tools.call('gemini_query', { prompt: 'Write' })).text);
    const found = (await tools.call('gemini_read', { handle, search: 'fox' })).text;
    const [, line, offset] = /is in line (\d+): read it with offset (\d+)\./.exec(found) ?? [];
    expect(line).toBe('1');
    const next = await tools.call('gemini_read', { handle, offset: Number(offset) });
    expect(next.text.startsWith('fox ')).toBe(true);
  });

  it("another client's answer is as unknown as one that never was", async () => {
    const tools = new ConnectedTools({ script: () => ({ chunks: [longText] }) });
    const handle = handleIn((await tools.call('gemini_query', { prompt: 'My secret' })).text);
    const bob = await tools.connect('bob');
    const stolen = await tools.call('gemini_read', { handle }, { client: bob });
    expect(stolen).toEqual(await tools.call('gemini_read', { handle: 'never' }, { client: bob }));
    expect(stolen.text).not.toContain('secret');
  });

  it.each(['gemini_query', 'geminiChat', 'chat', 'googleSearch'])(
    'what had come of one before %s failed is kept whole, and can be read',
    async (tool) => {
      const cutOff = { kind: 'timeout' } as const;
      const tools = new ConnectedTools({ script: () => ({ chunks: [longText], failure: cutOff }) });
      const outcome = await tools.call(tool, { [tool === 'googleSearch' ? 'query' : 'prompt']: 'Write' });
      expect(outcome.isError).toBe(true);
      expect(Buffer.byteLength(outcome.text)).toBeLessThanOrEqual(40_000);
      expect(outcome.text).toMatch(/\[Shown: the first [\d,]+ of 300,000 characters\. /);
      const stored = await tools.answers.load('alice', handleIn(outcome.text), new AbortController().signal);
      expect(stored?.text === longText).toBe(true);
    },
  );

  it('what had come in more lines than a failure shows is kept whole as well', async () => {
    const lines = 'x\n'.repeat(6_000);
    const cutOff = { kind: 'timeout' } as const;
    const tools = new ConnectedTools({ script: () => ({ chunks: [lines], failure: cutOff }) });
    const { text } = await tools.call('gemini_query', { prompt: 'Write' });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(40_000);
    const [, shown = '', offset] = /the first ([\d,]+) of 12,000 characters\. .*offset (\d+)/.exec(text) ?? [];
    expect(shown.replace(',', '')).toBe(offset);
    expect(
      text
        .match(/^\| x$/gm)
        ?.join('\n')
        .replaceAll('| ', ''),
    ).toBe(lines.slice(0, Number(offset)));
    const stored = await tools.answers.load('alice', handleIn(text), new AbortController().signal);
    expect(stored?.text === lines).toBe(true);
  });

  it('keeps the names of a thousand missing files from flooding a result', async () => {
    const files = Array.from({ length: 1_000 }, (_, index) => `${'long/'.repeat(30)}${index}`);
    const tools = new ConnectedTools({ tree: { 'a.ts': 'one' } });
    const { text } = await tools.call('gemini_query', { prompt: 'Why?', files: ['a.ts', ...files.slice(1)] });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(40_000);
    expect(text).toContain('The answer.');
  });
});

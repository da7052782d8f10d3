import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isJsonRecord, recordsIn } from '../json-record.ts';
import { type OfflineGeminiApi, startOfflineGeminiApi } from '../offline-gemini-api.ts';

let api: OfflineGeminiApi;

beforeEach(async () => {
  api = await startOfflineGeminiApi();
});

afterEach(() => api.close());

async function send(parts: readonly string[], fields: object = {}): Promise<unknown> {
  const response = await fetch(`${api.url}/v1beta/models/gemini-2.5-pro:generateContent`, {
    method: 'POST',
    headers: { 'x-goog-api-key': api.environment().GEMINI_API_KEY },
    body: JSON.stringify({ contents: [{ role: 'user', parts: parts.map((text) => ({ text })) }], ...fields }),
  });
  return response.json();
}

async function candidatesFor(parts: readonly string[], fields: object = {}): Promise<ReturnType<typeof recordsIn>> {
  const response = await send(parts, fields);
  return recordsIn(isJsonRecord(response) ? response['candidates'] : null);
}

async function ask(parts: readonly string[], fields: object = {}): Promise<string> {
  const [candidate] = await candidatesFor(parts, fields);
  const content = candidate?.['content'];
  return recordsIn(isJsonRecord(content) ? content['parts'] : null)
    .map(({ text }) => String(text))
    .join('');
}

function file(path: string, text: string): string {
  return `<file path="${path}" boundary="b1">\n${text}\n</file boundary="b1">`;
}

describe('describeArrival', () => {
  it('names the model, the size, each file and the request', async () => {
    const message = [
      'Introduction.',
      file('src/a.ts', 'const é = 1;\r\nconst b = 2;\n'),
      file('empty.txt', ''),
      '<file path="gone.txt" error="not found" boundary="b1" />',
      '<request boundary="b1">\nWhat is <é>?\n</request boundary="b1">',
    ].join('\n\n');
    const bytes = Buffer.byteLength(message);
    expect((await ask(['<session_context>\nToday is …', message])).split('\n')).toEqual([
      'This is the offline Gemini API, asked for gemini-2.5-pro: no model has read this.',
      `Arrived: ${bytes} bytes, ${bytes - 2} characters, 2 files.`,
      '- src/a.ts: 28 bytes, first line: const é = 1;',
      '- empty.txt: 0 bytes, first line: ',
      'The request begins: What is <é>?',
    ]);
  });

  it('names twenty files at most and cuts long lines', async () => {
    const message = Array.from({ length: 23 }, (_, index) => file(`f${index}`, 'x'.repeat(500))).join('\n');
    const lines = (await ask([`${message}\n${'word '.repeat(1000)}`])).split('\n');
    expect(lines).toHaveLength(24);
    expect(lines[1]).toContain('23 files');
    expect(lines[2]).toBe(`- f0: 500 bytes, first line: ${'x'.repeat(80)}…`);
    expect(lines[22]).toBe('- and 3 more');
    expect(lines[23]?.length).toBeLessThan(250);
  });

  it('never cuts a character in two', async () => {
    expect(await ask(['😀'.repeat(500)])).toContain(`begins: ${'😀'.repeat(200)}…`);
  });

  it('grounds the answer to a search', async () => {
    expect(await ask(['weather'], { tools: [{ googleSearch: {} }] })).toContain('“weather”');
  });

  it('pretends to read pages of example.com, and no others', async () => {
    const parts = ['Read https://example.com/a', 'and https://example.com.evil/b, not <http://a.example>'];
    const tools = [{ urlContext: {} }];
    const [candidate] = await candidatesFor(parts, { tools });
    expect(candidate?.['urlContextMetadata']).toEqual({
      urlMetadata: [
        { retrievedUrl: 'https://example.com/a', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' },
        { retrievedUrl: 'https://example.com.evil/b,', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_ERROR' },
        { retrievedUrl: 'http://a.example', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_ERROR' },
      ],
    });
    const [plain] = await candidatesFor(parts);
    expect(plain).not.toHaveProperty('urlContextMetadata');
  });

  it('refuses more than twenty addresses, as the real API does', async () => {
    const urls = Array.from({ length: 21 }, (_, index) => `https://example.com/${index}`).join(' ');
    expect(await send([urls], { tools: [{ urlContext: {} }] })).toMatchObject({
      error: { code: 400, message: 'Number of urls to lookup exceeds the limit (21 > 20).' },
    });
    expect(await send([urls])).toHaveProperty('candidates');
  });
});

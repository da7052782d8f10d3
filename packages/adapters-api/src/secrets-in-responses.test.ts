import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { beginStream, eventOf } from './testing/raw-stream.ts';
import { RunnerPlace, testKey } from './testing/runner-place.ts';

const place = new RunnerPlace();

/** As long as no part of the key may be, and no more than what stays of base64 at its ends. */
const tellingCharacters = 5;

const forms: Readonly<Record<string, string>> = {
  plain: testKey,
  'in a word': `key=${testKey}&alt=sse`,
  'in base64': Buffer.from(`x-goog-api-key: ${testKey}`).toString('base64'),
  'escaped for a URL': encodeURIComponent(`${testKey}?`),
  'where an excerpt is cut': `${'x'.repeat(475)}${testKey}`,
  'many times': `${testKey} `.repeat(3_000),
};

function errorWith(message: string, code = 403): string {
  return JSON.stringify({ error: { code, status: 'PERMISSION_DENIED', message } });
}

/** Every character as an escape of JSON, which only a reader of JSON sees through. */
function escapedWhole(text: string): string {
  return [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

function status(code: number, body: string, type = 'application/json'): RequestListener {
  return (_, response) => response.writeHead(code, { 'content-type': type }).end(body);
}

function stream(body: string): RequestListener {
  return (_, response) => beginStream(response).end(body);
}

async function expectNoKey(answer: RequestListener): Promise<void> {
  const said = JSON.stringify(await place.answerTo(answer));
  expect(said).toContain('"type"');
  const decoded = said.replace(/[A-Za-z0-9+/_-]{20,}/g, (word) => `${word} ${Buffer.from(word, 'base64').toString()}`);
  for (let at = 0; at + tellingCharacters < testKey.length; at += 1) {
    expect(decoded).not.toContain(testKey.slice(at, at + tellingCharacters + 1));
  }
}

describe.each(Object.entries(forms))('SECRET-05: a server that repeats the key, %s', (_, said) => {
  it.each([
    ['in an error', status(403, errorWith(said))],
    ['in an error of the stream', stream(`${eventOf('Begin')}data: ${errorWith(said)}\n\n`)],
    ['in a page', status(502, `<h1>${said}</h1>`, 'text/html')],
    ['in a page with the status of an answer', status(200, said, 'text/html')],
    ['in a redirect', status(302, said)],
    ['as why an answer ended', stream(eventOf('Begin', said))],
    ['as the reason of a failure', stream(eventOf('', said))],
    ['as why the prompt was blocked', stream(`data: ${JSON.stringify({ promptFeedback: { blockReason: said } })}\n\n`)],
    [
      'as the model that answered',
      stream(`data: ${JSON.stringify({ modelVersion: said })}\n\n${eventOf('a', 'STOP')}`),
    ],
  ])('%s', async (__, answer) => {
    await expectNoKey(answer);
  });
});

describe('SECRET-05: a server that repeats the key', () => {
  it.each([
    ['in an error', status(403, errorWith('@').replace('@', escapedWhole(`${'x'.repeat(475)}${testKey}`)))],
    ['in an error of the stream', stream(`data: ${errorWith('@').replace('@', escapedWhole(testKey))}\n\n`)],
  ])('escaped for JSON, %s', async (_, answer) => {
    await expectNoKey(answer);
  });

  it('as its type', async () => {
    await expectNoKey(status(200, 'text', testKey));
  });

  it('half of it in each of two errors: only the first one counts', async () => {
    const [half, rest] = [testKey.slice(0, 20), testKey.slice(20)];
    const said = await place.answerTo(stream(`data: ${errorWith('one')}\n\ndata: ${errorWith(`${half} ${rest}`)}\n\n`));
    expect(said).toEqual([expect.objectContaining({ failure: expect.objectContaining({ excerpt: 'one' }) })]);
  });

  it('says what else there was', async () => {
    const said = await place.answerTo(status(400, errorWith(`API key ${testKey} is not valid`, 400)));
    expect(JSON.stringify(said)).toContain('API key [redacted] is not valid');
  });
});

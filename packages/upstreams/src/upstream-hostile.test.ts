import { AnswerRecords } from '@gemini-mcp/core';
import type { ServerQuestions, UpstreamServers } from '@gemini-mcp/core/internal';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OddHttpServer } from './testing/odd-http-server.ts';
import { callServer, toolRequest, toolsOf, UpstreamsPlace } from './testing/upstreams-place.ts';
import { toToolResult } from './tools/to-tool-result.ts';

const never = new AbortController().signal;
let place: UpstreamsPlace;
const pages: OddHttpServer[] = [];

beforeEach(async () => {
  place = new UpstreamsPlace();
  await place.open();
});

afterEach(async () => {
  await place.close();
  await Promise.all(pages.splice(0).map((page) => page.close()));
  expect(place.processes.running).toBe(0);
});

async function openPage(): Promise<{ readonly page: OddHttpServer; readonly url: string }> {
  const page = new OddHttpServer('none');
  pages.push(page);
  return { page, url: await page.listen() };
}

const silent: ServerQuestions = { ask: () => new Promise(() => undefined) };

describe('a server among others', () => {
  it.each([
    ['HUB-17', 'never answers'],
    ['HUB-18', 'answers unsent requests'],
    ['HUB-19', 'prints one line without end'],
    ['HUB-20', 'prints garbage without end'],
    ['HUB-20', 'floods with notifications'],
    ['HUB-21', 'floods standard error'],
    ['HUB-22', 'exits at once'],
    ['HUB-08', 'pages for ever'],
  ])('%s: that %s holds up neither the list nor a call of another one', async (_, oddity) => {
    place.configure({ bad: place.odd(oddity, 'bad'), good: place.odd('none', 'good') });
    const servers = place.upstreams().of('ada');
    const waiting = new AbortController();
    const bad = servers.request(toolRequest('bad', 'echo'), waiting.signal);
    expect(await callServer(servers, toolRequest('good', 'echo', { n: 1 }))).toBe('{"n":1}');
    const listed = await servers.list({ waitMs: 0 }, never);
    expect(listed.map(({ name }) => name)).toEqual(['bad', 'good']);
    expect(toolsOf(listed[1])).toContain('echo');
    waiting.abort();
    await bad;
  });

  it('HUB-02: a known name with another address gets nothing that was for the other: no header, no list, no approval', async () => {
    const [mine, theirs] = [await openPage(), await openPage()];
    place.configure({ notion: { httpUrl: mine.url, headers: { 'x-key': 'mine' } } });
    const upstreams = place.upstreams();
    expect(await callServer(upstreams.of('ada'), toolRequest('notion', 'echo'))).toBe('{} in s1');
    place.configure({ notion: { httpUrl: theirs.url } });
    const [seen] = await upstreams.of('ada').list({ waitMs: 0 }, never);
    expect([seen?.state.type, seen?.lists]).toEqual(['disconnected', null]);
    await callServer(upstreams.of('ada'), toolRequest('notion', 'echo'));
    expect(theirs.page.headers.length).toBeGreaterThan(0);
    expect(theirs.page.headers.filter((headers) => headers['x-key'] !== undefined)).toEqual([]);
  });

  it('HUB-31: that asks its user for everything 10,000 times is cut off, and the user is asked once', async () => {
    let asked = 0;
    const questions: ServerQuestions = {
      ask: (question, signal) => {
        asked += 1;
        return silent.ask(question, signal);
      },
    };
    place.configure({ bad: place.odd('has odd tools') });
    const reply = await callServer(place.upstreams().of('ada'), { ...toolRequest('bad', 'beg'), questions });
    expect(reply).toMatchObject({ type: 'unavailable', detail: expect.stringContaining('more than 1000 requests') });
    expect(asked).toBeLessThanOrEqual(1);
  });
});

describe('a result through all upstreams code', () => {
  async function lend(result: unknown, servers: UpstreamServers): Promise<string> {
    const reply = await servers.request(toolRequest('bad', 'answer', { result }), never);
    if (reply.type !== 'answered') {
      return JSON.stringify(reply);
    }
    const answers = new AnswerRecords({
      clock: new FakeClock(),
      createHandle: () => 'handle',
      maxAnswerBytes: 9e6,
    });
    const { text } = await toToolResult(reply.result, { server: 'bad', tool: 'answer', owner: 'ada', answers }, never);
    return text;
  }

  it.each<[string, unknown, string]>([
    ['HUB-26: bad base64', { content: [{ type: 'image', data: '%%%', mimeType: 'image/png' }] }, 'Image left out'],
    [
      'HUB-26: a program that says it is an image',
      { content: [{ type: 'image', data: 'TVqQAAMAAAAEAAAA', mimeType: 'image/png' }] },
      'left out',
    ],
    [
      'HUB-27: an unknown block next to a known one',
      { content: [{ type: 'hologram' }, { type: 'text', text: 'kept' }] },
      'kept',
    ],
    ['HUB-27: invalid blocks', { content: [null, 7, [], 'x', { type: 'text', text: 'kept' }] }, 'kept'],
    ['HUB-28: a bare list', { content: [{ type: 'text', text: '[1]' }] }, 'Result of answer of the server bad:\n[1]'],
    ['HUB-28: no content', {}, 'Empty result of answer of the server bad'],
    ['HUB-28: content other than a list', { content: 'x' }, 'Empty result of answer of the server bad'],
    [
      'HUB-29: structured content that is not what it said',
      { content: [{ type: 'text', text: 'one' }], structuredContent: { count: 'many' } },
      'one',
    ],
  ])('%s', async (_, result, expected) => {
    place.configure({ bad: place.odd('has odd tools') });
    const servers = place.upstreams().of('ada');
    expect(await lend(result, servers)).toContain(expected);
    expect(await callServer(servers, toolRequest('bad', 'echo'))).toBe('{}');
  });

  it('HUB-30: links to files, to metadata of a cloud and to a page are named and never followed', async () => {
    const { page, url } = await openPage();
    place.configure({ bad: place.odd('has odd tools') });
    const links = ['file:///etc/passwd', 'http://169.254.169.254/latest/meta-data/', url];
    const content = [
      ...links.map((uri) => ({ type: 'resource_link', uri, name: 'x' })),
      { type: 'resource', resource: { uri: url, text: 'inside' } },
    ];
    const text = await lend({ content }, place.upstreams().of('ada'));
    expect(links.filter((link) => !text.includes(link))).toEqual([]);
    expect(text).not.toContain('root:');
    expect(page.heard).toEqual([]);
  });

  it('HUB-25: an answer of 50 MB is an error of its call, and the next call is answered', async () => {
    place.configure({ bad: place.odd('has odd tools') });
    const servers = place.upstreams().of('ada');
    const reply = await callServer(servers, toolRequest('bad', 'large'));
    expect(reply).toMatchObject({ type: 'unreadable', detail: 'The answer was longer than 16 MB and was not read.' });
    expect(await callServer(servers, toolRequest('bad', 'echo'))).toBe('{}');
  });
});

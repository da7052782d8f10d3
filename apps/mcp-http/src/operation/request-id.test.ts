import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuse } from '../refusal.ts';
import { withRequestId } from './log-requests.ts';
import { RawConnection } from './testing/raw-connection.ts';
import { createKeptLog, type LoggedLine, ServedApp } from './testing/served-app.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let served: ServedApp;
let log: ReturnType<typeof withRequestId>;

beforeEach(async () => {
  served = await new ServedApp().start();
  log = withRequestId(served.log);
  served.app.get('/told', async (context) => {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    log.info('told', { query: context.req.query('q') });
    return new Response(context.get('requestId'));
  });
  served.app.get('/refused', (context) => refuse(context, { status: 403, code: 'no', message: 'No.' }));
});

afterEach(() => served.stop());

describe('identifyRequests', () => {
  it.each(['a', 'A-z.0_9', 'x'.repeat(64)])("keeps the sender's id %s", async (id) => {
    const response = await fetch(served.url('/told'), { headers: { 'X-Request-Id': id } });
    expect([response.headers.get('X-Request-Id'), await response.text()]).toEqual([id, id]);
  });

  it.each(['', 'x'.repeat(65), 'a b', 'a,b', 'ü', '"', '<script>'])('generates an id for %j', async (id) => {
    const connection = await RawConnection.open(served.port);
    await connection.send(`GET /told HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Request-Id: ${id}\r\n\r\n`);
    const answer = await connection.closed();
    const [, given = ''] = /\r\nx-request-id: (.*)\r\n/i.exec(answer) ?? [];
    expect(given).toMatch(uuid);
    expect(answer.endsWith(given) || answer.includes(`\r\n${given}\r\n`)).toBe(true);
  });

  it('gives each request its own', async () => {
    const responses = await Promise.all([fetch(served.url('/told')), fetch(served.url('/told'))]);
    expect(new Set(responses.map(({ headers }) => headers.get('X-Request-Id'))).size).toBe(2);
  });

  it('puts it into refusals, header and body', async () => {
    const response = await fetch(served.url('/refused'));
    const { error } = (await response.json()) as { readonly error: { readonly requestId: string } };
    expect(error.requestId).toBe(response.headers.get('X-Request-Id'));
  });
});

describe('withRequestId', () => {
  it('puts the id of the request into each line', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `id-${index}`);
    await Promise.all(
      ids.map((id) =>
        fetch(served.url(`/told?q=${id}`), { headers: { 'X-Request-Id': id } }).then((each) => each.text()),
      ),
    );
    expect(served.lines).toHaveLength(20);
    expect(served.lines.map(({ requestId }) => requestId)).toEqual(served.lines.map(({ query }) => query));
  });

  it('leaves lines outside of requests unchanged', () => {
    const lines: LoggedLine[] = [];
    const outside = withRequestId(createKeptLog(lines));
    for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) {
      outside[level](level, { a: 1 });
    }
    expect(lines).toEqual(['trace', 'debug', 'info', 'warn', 'error'].map((level) => ({ a: 1, level, event: level })));
  });
});

import { describe, expect, it } from 'vitest';
import { readTraceContext } from './read-trace-context.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const read = (meta: unknown) => readTraceContext({ name: 'x', _meta: meta });

describe('the trace context of a request', () => {
  it.each([
    { traceparent },
    { traceparent, tracestate: 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE' },
    { traceparent, tracestate: 'fw529a3039@dt=FfAAAAAAAAAA , ,a/b*c_d-e=! "x;' },
    { baggage: 'userId=alice,serverNode=DF%2028;isProduction;ttl = 3,empty=' },
    { traceparent, tracestate: 'a=1', baggage: 'k = v ; p' },
  ])('is kept as it is: %j', (meta) => {
    expect(read({ progressToken: 1, ...meta })).toEqual(meta);
  });

  it.each([
    '',
    1,
    [traceparent],
    traceparent.toUpperCase(),
    `${traceparent}\n`,
    `${traceparent}\r\nx-goog-api-key: forged`,
    `ff${traceparent.slice(2)}`,
    `${traceparent}-extra`,
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
    traceparent.slice(1),
  ])('is dropped with a forged traceparent: %j', (forged) => {
    expect(read({ traceparent: forged, tracestate: 'a=1' })).toBeUndefined();
  });

  it.each([
    '',
    ',',
    'a',
    'A=1',
    'a=',
    'a=1,a=2',
    'a=1\n',
    'a=\u00e9',
    'a=b=c',
    'a=1\r\nx: y',
    Array.from({ length: 33 }, (_, at) => `k${at}=1`).join(','),
    `a=${'x'.repeat(511)}`,
  ])('is kept without a forged tracestate: %j', (forged) => {
    expect(read({ traceparent, tracestate: forged })).toEqual({ traceparent });
  });

  it.each([
    '',
    'a',
    'a b=c',
    'a="quoted"',
    'a=b c',
    'a=1;',
    'a=1\n',
    'a=1\r\nx: y',
    'a=\u00e9',
    Array.from({ length: 65 }, (_, at) => `k${at}=1`).join(','),
    `a=${'x'.repeat(8_191)}`,
  ])('is kept without a forged baggage: %j', (forged) => {
    expect(read({ traceparent, baggage: forged })).toEqual({ traceparent });
  });

  it.each([undefined, null, {}, [], 'x', { _meta: traceparent }, { traceparent }])('is missing in %j', (params) => {
    expect(readTraceContext(params)).toBeUndefined();
  });

  it.each([' ', '\t', ';', '=', 'a', 'a=', 'a; ', ','])('is read at once, however often %j is repeated', (piece) => {
    const long = `a=${piece.repeat(8_190 / piece.length)}`.slice(0, 8_190);
    const startedAtMs = performance.now();
    read({ traceparent, tracestate: long.slice(0, 510), baggage: long });
    read({ baggage: `${long.slice(0, 8_000)}\u0001` });
    expect(performance.now() - startedAtMs).toBeLessThan(1_000);
  });
});

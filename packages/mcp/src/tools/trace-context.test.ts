import { describe, expect, it } from 'vitest';
import { ConnectedTools } from '../testing/connected-tools.ts';

const traceOf = (digit: string) => ({
  traceparent: `00-${digit.repeat(32)}-b7ad6b7169203331-01`,
  tracestate: `rojo=${digit}`,
  baggage: `user=${digit}`,
});

describe('the trace of a call', () => {
  it.each([
    ['gemini_query', { prompt: 'Hi' }],
    ['gemini_query', { prompt: 'Hi', schema: { type: 'object' } }],
    ['geminiChat', { prompt: 'Hi' }],
    ['chat', { prompt: 'Hi' }],
    ['googleSearch', { query: 'Hi' }],
    ['gemini_agent', { task: 'Hi', mode: 'plan' }],
  ])('%s: reaches the run, without forged parts', async (name, args) => {
    const tools = new ConnectedTools();
    await tools.call(name, args, { meta: traceOf('a') });
    await tools.call(name, args, { meta: { ...traceOf('b'), tracestate: 'forged\r\nx: y', baggage: 'forged' } });
    await tools.call(name, args, { meta: { ...traceOf('c'), traceparent: 'forged' } });
    await tools.call(name, args);
    const traces = tools.runner.requests.map(({ trace }) => trace);
    const { traceparent } = traceOf('b');
    const { baggage } = traceOf('c');
    expect(traces.filter((trace, at) => JSON.stringify(trace) !== JSON.stringify(traces[at - 1]))).toEqual([
      traceOf('a'),
      { traceparent },
      { baggage },
      undefined,
    ]);
  });

  it('belongs to one message of a conversation', async () => {
    const tools = new ConnectedTools();
    await tools.call('chat', { prompt: 'One' }, { meta: traceOf('a') });
    await tools.call('chat-reply', { prompt: 'Two' }, { meta: traceOf('b') });
    await tools.call('chat-reply', { prompt: 'Three' });
    expect(tools.runner.requests.map(({ trace }) => trace)).toEqual([traceOf('a'), traceOf('b'), undefined]);
  });

  it('is not seen by calls that run at the same time, and stays with a job', async () => {
    const tools = new ConnectedTools();
    const client = await tools.connect();
    const calls = ['a', 'b', 'c', 'd'].map((digit) =>
      tools.call(
        'gemini_query',
        { prompt: `I am ${digit}.`, background: digit === 'd' },
        { client, ...(digit !== 'c' && { meta: traceOf(digit) }) },
      ),
    );
    await Promise.all(calls);
    await expect.poll(() => tools.runner.requests).toHaveLength(4);
    for (const { input, trace } of tools.runner.requests) {
      const digit = /I am (.)\./.exec(input)?.[1] ?? '';
      expect(trace).toEqual(digit === 'c' ? undefined : traceOf(digit));
    }
  });
});

import { createRedactor } from '@gemini-mcp/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LogLevel, logLevels } from '../settings/server-settings.ts';
import { createLog } from './create-log.ts';
import { createEarlyLog } from './early-log.ts';
import type { EventLevel, Log, LogFields, LogOptions } from './log.ts';

const key = 'AIzaSyA-made-up-key-0123456789abcdefghi';
const plainSecret = 'a secret "of\nno" shape';
const levels = logLevels.filter((level) => level !== 'silent');

function linesOf(create: (options: LogOptions) => Log, level: LogLevel, use: (log: Log) => void): readonly string[] {
  const lines: string[] = [];
  const redact = createRedactor([plainSecret]);
  use(create({ level, redact, stream: { write: (line: string) => lines.push(line) } }));
  return lines;
}

describe.each([
  ['createLog', createLog],
  ['createEarlyLog', createEarlyLog],
])('%s', (_, create) => {
  const logged = (fields: LogFields): string => linesOf(create, 'trace', (log) => log.info('x', fields)).join('');

  it('writes one line of JSON, whatever the fields hold', () => {
    const line = logged({ path: '/opt/new\nline', version: null });
    expect(line).toMatch(/^[^\n]*\n$/);
    expect(JSON.parse(line)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      event: 'x',
      path: '/opt/new\nline',
      version: null,
    });
  });

  it('shows what acts on a terminal, also what JSON leaves as it is (FORGED-07)', () => {
    const line = logged({ 'na\u009bme': 'a\u001b[2J\u009b1m\u202eb\u200bc\u007f' });
    expect(line).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
    expect(JSON.parse(line)).toMatchObject({ 'na\\u{9b}me': 'a\\u{1b}[2J\\u{9b}1m\\u{202e}b\\u{200b}c\\u{7f}' });
  });

  it('hides secrets wherever they are', () => {
    const places = (secret: string): LogFields => ({
      text: `key=${secret}`,
      [secret]: 'as a name',
      error: new Error(`rejected ${secret}`),
      nested: { list: [[`in a list ${secret}`]], [secret]: secret },
    });
    for (const secret of [key, plainSecret]) {
      const line = logged(places(secret));
      expect(line).not.toContain(secret);
      expect(line).not.toContain(JSON.stringify(secret).slice(1, -1));
      expect(line.split('[redacted]')).toHaveLength(7);
    }
  });

  it('cuts long, deep and circular values', () => {
    const circle: Record<string, unknown> = {};
    circle['again'] = circle;
    expect(logged({ text: 'y'.repeat(100_000) }).length).toBeLessThan(5_000);
    expect(logged({ list: Array.from({ length: 100_000 }, () => 'y') }).length).toBeLessThan(5_000);
    expect(logged({ circle }).length).toBeLessThan(500);
    expect(logged({ big: 10n })).toContain('"10"');
    expect(logged({ odd: { toJSON: () => key, symbol: Symbol('s') } })).toContain('"odd":{}');
  });

  it.each(logLevels)('at %s writes events of this level and above', (level) => {
    const written = linesOf(create, level, (log) => {
      for (const ofEvent of levels) {
        log[ofEvent](ofEvent);
      }
    });
    const expected: readonly EventLevel[] = levels.slice(logLevels.indexOf(level));
    expect(written.map((line) => JSON.parse(line).level)).toEqual(expected);
  });
});

it('both write the same lines', () => {
  const withoutTime = (lines: readonly string[]): readonly string[] =>
    lines.map((line) => line.replace(/"time":"[^"]+"/, ''));
  fc.assert(
    fc.property(fc.constantFrom(...levels), fc.string(), fc.jsonValue(), (level, event, value) => {
      const use = (log: Log): void => log[level](event, { value });
      expect(withoutTime(linesOf(createLog, 'trace', use))).toEqual(withoutTime(linesOf(createEarlyLog, 'trace', use)));
    }),
  );
});

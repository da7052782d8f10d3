import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type ContextArgumentsOptions, contextArguments } from './context-arguments.ts';

function read(options: Partial<ContextArgumentsOptions>, args: Readonly<Record<string, unknown>>): unknown {
  const schema = z.strictObject(contextArguments({ modelChain: [], defaultTimeoutMs: 120_000, ...options }));
  const parsed = schema.safeParse(args);
  return parsed.success ? parsed.data.timeout : parsed.error.issues.map(({ path, code }) => [path.join('.'), code]);
}

describe('the size of a call', () => {
  const checked = (args: Readonly<Record<string, unknown>>, given: Partial<ContextArgumentsOptions> = {}): unknown =>
    z.strictObject(contextArguments({ modelChain: [], defaultTimeoutMs: 1, ...given })).safeParse(args);

  it('is what the operator allows at most, and just that where the caller says nothing', () => {
    const allowed = { maxFiles: 3_000, maxBytes: 16_000_000 };
    expect(checked({}, allowed)).toMatchObject({ data: { max_files: 3_000, max_bytes: 16_000_000 } });
    const asked = { max_files: 3_000, max_bytes: 15_999_999 };
    expect(checked(asked, allowed)).toMatchObject({ data: asked });
    expect(checked({ max_files: 3_001 }, allowed)).toMatchObject({ success: false });
    expect(checked({ max_bytes: 16_000_001 }, allowed)).toMatchObject({ success: false });
    expect(checked({ max_files: 2_001 })).toMatchObject({ success: false });
  });
});

describe('the timeout of a call', () => {
  it.each<[string, Partial<ContextArgumentsOptions>, Readonly<Record<string, unknown>>, unknown]>([
    ['is what the caller gives', {}, { timeout: 3_600 }, 3_600],
    ['is an hour at most', {}, { timeout: 3_601 }, [['timeout', 'too_big']]],
    [
      'SHARE-01: is what the operator allows at most',
      { maxTimeoutMs: 300_000 },
      { timeout: 301 },
      [['timeout', 'too_big']],
    ],
    ['is the default if missing', {}, {}, 120],
    ['is no more than the operator allows by default either', { maxTimeoutMs: 60_000 }, {}, 60],
    ['is a second at least', { maxTimeoutMs: 1_000, defaultTimeoutMs: 1_000 }, {}, 1],
  ])('%s', (_, options, args, expected) => {
    expect(read(options, args)).toEqual(expected);
  });
});

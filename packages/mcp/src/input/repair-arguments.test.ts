import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ConnectedTools } from '../testing/connected-tools.ts';
import { checkArguments } from './check-arguments.ts';
import { describeInvalidArguments } from './describe-invalid-arguments.ts';
import { describeReadings, repairArguments } from './repair-arguments.ts';
import { type ArgumentMistake, argumentMistakes } from './testing/argument-mistakes.ts';
import type { ToolInput } from './tool-input.ts';

const { tools } = new ConnectedTools({ agent: { mode: 'full' } });

function inputOf(name: string): ToolInput {
  const tool = tools.find((offered) => offered.name === name);
  if (tool === undefined) {
    throw new Error(`no tool ${name}`);
  }
  return tool.input;
}

describe('arguments as models write them', () => {
  it.each(argumentMistakes)('$tool $written is read as $read', async ({ tool, written, read }) => {
    const input = inputOf(tool);
    expect(await checkArguments(input, written)).toMatchObject({ isAccepted: false });
    const { args } = repairArguments(input, written);
    expect(await checkArguments(input, args)).toMatchObject({ isAccepted: read !== null });
    if (read !== null) {
      expect(args).toEqual(read);
    }
  });

  it('are at least eighty', () => {
    expect(argumentMistakes.length).toBeGreaterThanOrEqual(80);
  });

  it('docs/generated/argument-mistakes.md lists them (`npx vitest run packages/mcp --update` writes it)', async () => {
    const introduction = [
      '# Arguments as models write them',
      'Each row is a call that the schema of the tool refuses as it is written. A call with exactly one sound reading is read that way. *Repaired* means without a word, *noted* with a line in the account. All others are *refused* by name.',
      'The test `packages/mcp/src/input/repair-arguments.test.ts` writes this page from `packages/mcp/src/input/testing/argument-mistakes.ts`: do not edit it by hand.',
    ].join('\n\n');
    const kinds = [...new Set(argumentMistakes.map(({ kind }) => kind))];
    const tables = await Promise.all(kinds.map(describeKind));
    await expect(`${[introduction, ...tables].join('\n\n')}\n`).toMatchFileSnapshot(
      '../../../../docs/generated/argument-mistakes.md',
    );
  });
});

async function describeKind(kind: string): Promise<string> {
  const rows = await Promise.all(argumentMistakes.filter((mistake) => mistake.kind === kind).map(describeMistake));
  return [`## ${kind}`, '', '| tool | written | outcome | read or said |', '|---|---|---|---|', ...rows].join('\n');
}

async function describeMistake({ tool, written, read }: ArgumentMistake): Promise<string> {
  const input = inputOf(tool);
  const { args, readings } = repairArguments(input, written);
  const checked = await checkArguments(input, args);
  const said = checked.isAccepted
    ? []
    : describeInvalidArguments(tool, { ...checked, args })
        .split('\n')
        .slice(1, -1);
  const outcome = read === null ? 'refused' : readings.length === 0 ? 'repaired' : 'noted';
  const result = read === null ? said.join(' ').replace(/^- /, '') : `\`${JSON.stringify(read)}\``;
  return `| ${tool} | \`${JSON.stringify(written)}\` | ${outcome} | ${result.replaceAll('|', '\\|')} |`;
}

describe('repairArguments', () => {
  const input = z.strictObject({ prompt: z.string(), files: z.array(z.string()).default([]) });

  it('changes nothing that the tool accepts', () => {
    const value = fc.oneof(fc.string(), fc.constantFrom('[]', '["a"]', 'null', '', '{}', '1'));
    void fc.assert(
      fc.property(fc.record({ prompt: value, files: fc.array(value) }), (args) => {
        expect(repairArguments(input, args)).toEqual({ args, readings: [] });
      }),
    );
  });

  it('never throws, and reads inherited names as unknown', () => {
    void fc.assert(
      fc.property(fc.anything(), (args) => {
        expect(() => repairArguments(input, args)).not.toThrow();
      }),
    );
    const hostile = JSON.parse('{"__proto__": {"prompt": "x"}, "constructor": "y", "prompt": "z"}');
    expect(JSON.stringify(repairArguments(input, hostile).args)).toBe(JSON.stringify(hostile));
  });

  it('leaves the arguments of other servers as they are', () => {
    const jsonSchema = { type: 'object', properties: { files: { type: 'array' } } };
    expect(repairArguments({ jsonSchema }, { files: 'a' })).toEqual({ args: { files: 'a' }, readings: [] });
  });

  it('leaves floods of names as they are', () => {
    const flood = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${'_'.repeat(index)}query`, 'x']));
    expect(repairArguments(input, flood)).toEqual({ args: flood, readings: [] });
  });

  it('shows names and values of a caller on one line', () => {
    const { readings } = repairArguments(input, { 'que\n\u202ery': 'x', prompt: null, files: '[]' });
    expect(describeReadings(readings)).toBe(
      'Arguments were read as meant: "que\\u{a}\\u{202e}ry" as prompt; files: JSON text as a list.',
    );
    const many = Array.from({ length: 7 }, (_, index) => `a${index} as b`);
    expect(describeReadings(many)).toMatch(/a4 as b; and 2 more\.$/);
  });
});

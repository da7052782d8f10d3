import { judgeWrite, protectedPaths } from '@gemini-mcp/core/internal';
import { expect, it } from 'vitest';
import { isSensitivePath } from '../../../disk/sensitive-names.ts';
import { heldNames } from './held-names.ts';

it('holds every name that the table says is held, spelled alike', () => {
  const held = heldNames.map(({ path }) => path);
  const obeyed = protectedPaths
    .filter(({ isHeld }) => isHeld)
    .flatMap(({ directories, files }) => [...directories, ...files]);
  expect(obeyed.filter((name) => !held.includes(name))).toEqual([]);
});

it('holds no name that may be changed', () => {
  const decisions = heldNames.map(({ path }) => judgeWrite({ path, isSensitive: isSensitivePath }).decision);
  expect(new Set(decisions)).toEqual(new Set(['deny']));
});

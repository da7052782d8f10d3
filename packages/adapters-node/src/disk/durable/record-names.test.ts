import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contentName,
  createTag,
  draftName,
  headName,
  isDiscardedName,
  parseContentName,
  parseDraftName,
  parseHeadName,
  seemsAlive,
} from './record-names.ts';

const stamps = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const versions = fc.integer({ min: 1, max: 999_999_999_999_999 });

describe('the names of records', () => {
  it('are read back as they were written', () => {
    fc.assert(
      fc.property(versions, stamps, (version, stampMs) => {
        const written = { version, stampMs, tag: createTag() };
        expect(parseHeadName(headName(written))).toEqual(written);
        const name = contentName(written);
        expect(parseContentName(name)).toEqual({ name, version, tag: written.tag });
        expect(parseDraftName(draftName(written.tag))).toBe(written.tag);
      }),
    );
  });

  it('are one part of a path for any time that a caller passes', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (stampMs) => {
        const name = headName({ version: 1, stampMs, tag: createTag() });
        expect(name).toMatch(/^[-.\w]{1,100}$/);
        expect(parseHeadName(name)).not.toBeNull();
      }),
    );
  });

  it('reject any other name', () => {
    const strange = [fc.string(), fc.constantFrom('head.1', 'head.1.1.x', '1.json', '.new-', '.old-')];
    fc.assert(
      fc.property(fc.oneof(...strange), (name) => {
        expect([parseHeadName(name), parseContentName(name), parseDraftName(name)]).toEqual([null, null, null]);
        expect(isDiscardedName(name)).toBe(false);
      }),
    );
  });

  it('distinguish a living writer from a dead one', () => {
    expect(seemsAlive(createTag())).toBe(true);
    expect(seemsAlive('999999999-1-0000000000000000')).toBe(false);
  });
});

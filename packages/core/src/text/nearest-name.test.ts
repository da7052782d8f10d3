import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

const known = ['y', 'models', 'roots', 'read-only', 'GEMINI_MCP_ROOTS'];

describe('nearestName', () => {
  it.each([
    ['model', 'models'],
    ['readonly', 'read-only'],
    ['raed-only', 'read-only'],
    ['GEMINI_MCP_ROOT', 'GEMINI_MCP_ROOTS'],
    ['gemini_mcp_roots', 'GEMINI_MCP_ROOTS'],
    ['read', 'read-only'],
    ['something-else', null],
    ['re', null],
    ['', null],
    ['x', null],
  ])('%j was meant to be %j', (given, nearest) => {
    expect(nearestName(given, known)).toBe(nearest);
  });

  it('finds a name that lacks one letter', () => {
    fc.assert(
      fc.property(fc.constantFrom(...known.slice(1)), fc.nat(), (name, at) => {
        const position = at % name.length;
        expect(nearestName(name.slice(0, position) + name.slice(position + 1), known)).toBe(name);
      }),
    );
  });

  it('UPSTREAM-M6: makes no guess at a name of more than 40 characters', () => {
    expect(nearestName('x'.repeat(40), ['x'.repeat(41)])).toBe('x'.repeat(41));
    expect(nearestName('x'.repeat(41), ['x'.repeat(42)])).toBeNull();
  });

  it('finds nothing among no names', () => {
    expect(nearestName('anything', [])).toBeNull();
  });
});

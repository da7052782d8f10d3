import { expect, it } from 'vitest';
import { digestOf } from './digest-of.ts';

it('gives the SHA-256 of a text', () => {
  expect(digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

import type { RunnerCapabilities } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { refuseInput } from './outcome-without-run.ts';

const capabilities: RunnerCapabilities = {
  name: 'test',
  maxInputBytes: 12,
  maxInputCharacters: 8,
  resume: false,
  toolControl: false,
  systemPrompt: false,
  mediaTypes: [],
  maxMediaBytes: 0,
  warmStart: false,
};

describe('refuseInput', () => {
  it.each(['', 'x'.repeat(8), 'é'.repeat(6), '😀'.repeat(3)])('carries %s', (input) => {
    expect(refuseInput(input, capabilities)).toBeNull();
  });

  it.each([
    ['x'.repeat(9), { measure: 'characters', actual: 9, limit: 8 }],
    ['é'.repeat(7), { measure: 'bytes', actual: 14, limit: 12 }],
    ['😀'.repeat(4), { measure: 'bytes', actual: 16, limit: 12 }],
    ['é'.repeat(9), { measure: 'characters', actual: 9, limit: 8 }],
  ])('refuses %s, and says by how much', (input, refusal) => {
    expect(refuseInput(input, capabilities)).toEqual(refusal);
  });
});

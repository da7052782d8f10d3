import { expect, it } from 'vitest';
import * as z from 'zod';
import { listedSchema } from './loaded-surface.ts';

it('has what a model needs to make a call, and nothing else', () => {
  const input = z.strictObject({
    name: z
      .string()
      .min(1)
      .max(1_000)
      .regex(/^[a-z]+$/)
      .describe('A name.'),
    kind: z.enum(['one', 'other']).default('one').describe('Which.'),
    parts: z.array(z.string().max(10)).max(5).default([]).describe('Parts.'),
    count: z.int().min(1).max(60).default(25).describe('How many.'),
    offset: z.int().min(0).optional().describe('From where.'),
    id: z.uuid().optional().describe('An id.'),
    key: z.string().optional().describe('A key.'),
  });
  expect(listedSchema({ input, unlisted: ['key'] })).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string', description: 'A name.' },
      kind: { type: 'string', enum: ['one', 'other'], description: 'Which.' },
      parts: { type: 'array', items: { type: 'string' }, description: 'Parts.' },
      count: { type: 'integer', description: 'How many.' },
      offset: { type: 'integer', description: 'From where.' },
      id: { type: 'string', description: 'An id.' },
    },
    required: ['name'],
  });
});

it('has an argument of any object as text if the tool says so', () => {
  const input = z.strictObject({ schema: z.record(z.string(), z.unknown()).optional().describe('A schema.') });
  const properties = (listedAsText?: readonly string[]): unknown =>
    Object(listedSchema({ input, ...(listedAsText !== undefined && { listedAsText }) })).properties;
  expect(properties()).toEqual({ schema: { type: 'object', description: 'A schema.' } });
  expect(properties(['schema'])).toEqual({ schema: { type: 'string', description: 'A schema.' } });
});

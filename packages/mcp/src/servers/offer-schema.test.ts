import { describe, expect, it } from 'vitest';
import { offerSchema } from './offer-schema.ts';

async function propertiesOf(properties: Readonly<Record<string, unknown>>): Promise<unknown> {
  const offered = await offerSchema({ type: 'object', properties });
  return offered.isOffered ? offered.schema['properties'] : offered.reason;
}

describe('offerSchema()', () => {
  it.each([
    ['enum', ['plain', '\u001b[31mred']],
    ['default', 'a\u202eb'],
    ['const', '\u0007'],
    ['examples', [{ 'a\u200b': 1 }]],
  ])('UPSTREAM-L6: leaves out %s with characters that are not seen, and says so', async (key, value) => {
    expect(await propertiesOf({ a: { type: 'string', description: 'One.', [key]: value } })).toEqual({
      a: { type: 'string', description: `One. Left out because of invisible characters: ${key}.` },
    });
  });

  it('UPSTREAM-L6: keeps plain values, and arguments that have the names of such members', async () => {
    const properties = {
      default: { type: 'string', enum: ['a', 'b\nc'], default: 'a' },
      enum: { type: 'number', const: 1 },
    };
    expect(await propertiesOf(properties)).toEqual(properties);
  });
});

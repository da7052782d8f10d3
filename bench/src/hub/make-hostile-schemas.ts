const keywords = [
  ...['type', 'enum', 'const', 'format', 'title', 'description', 'default', 'nullable', '$ref', '$defs', 'definitions'],
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'items', 'prefixItems', 'anyOf', 'oneOf'],
  ...['allOf', 'not', 'if', 'then', 'minimum', 'maxItems', '$recursiveRef', 'contains', '__proto__', 'a b', '日本'],
];
const words = [
  'object',
  'array',
  'string',
  'int',
  'null',
  '#',
  '#/$defs/a',
  '#/properties/a',
  'a',
  '',
  'http://x',
  'file:///etc/passwd',
];
const scalars: readonly unknown[] = [true, false, null, 0, 1.5, -1, {}, []];

/** Of a schema that nests without end, this many levels. */
const maxLevels = 7;

/** Schemas as no server means them, the same ones each time: some that were made for harm, and the rest by chance. */
export function makeHostileSchemas(count: number): readonly unknown[] {
  const chance = new Chance(42);
  return [...harmful, ...Array.from({ length: count - harmful.length }, () => ({ type: 'object', ...chance.map(0) }))];
}

/** None has more than 256,000 characters: a tool with more never comes so far. */
const harmful: readonly unknown[] = [
  JSON.parse(`${'{"items":'.repeat(10_000)}{}${'}'.repeat(10_000)}`),
  JSON.parse(`${'{"anyOf":[{"type":"object","properties":{"a":'.repeat(50)}{}${'}}]}'.repeat(50)}`),
  { type: 'object', properties: { a: { description: 'x'.repeat(250_000) } } },
  { type: 'object', properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, {}])) },
  { type: 'object', properties: { a: { enum: Array.from({ length: 25_000 }, (_, index) => `v${index}`) } } },
  { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
  // Each level refers to the next twice: 2^40 when it is written out.
  {
    type: 'object',
    properties: { a: { $ref: '#/$defs/d0' } },
    $defs: Object.fromEntries(
      Array.from({ length: 40 }, (_, level) => {
        const next = { $ref: `#/$defs/d${level + 1}` };
        return [`d${level}`, { type: 'object', properties: { l: next, r: next }, required: ['l', 'r'] }];
      }),
    ),
  },
  { type: 'object', allOf: Array.from({ length: 2_000 }, () => ({ $ref: '#' })) },
  { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' }, ['__proto__']: { type: 'string' } } },
];

/** A small generator of numbers: the same ones for the same seed. */
class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  map(level: number): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      Array.from({ length: this.#below(6) }, () => [this.#oneOf(keywords), this.#value(level + 1)]),
    );
  }

  #value(level: number): unknown {
    const kind = level >= maxLevels ? 0 : this.#below(5);
    switch (kind) {
      case 1:
      case 2:
        return this.map(level);
      case 3:
        return Array.from({ length: this.#below(4) }, () => this.#value(level + 1));
      case 4:
        return this.#oneOf(scalars);
      default:
        return this.#oneOf(words);
    }
  }

  #oneOf<Value>(values: readonly Value[]): Value | undefined {
    return values[this.#below(values.length)];
  }

  #below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) >>> 0;
    return (this.#state >>> 8) % limit;
  }
}

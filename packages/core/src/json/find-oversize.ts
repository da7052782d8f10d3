export type JsonLimits = {
  /** Objects, lists and everything in them. */
  readonly maxValues: number;
  /** All characters of texts and names, plus one for each other value. */
  readonly maxCharacters: number;
  /** Whatever reads the JSON afterwards recurses once for each level. */
  readonly maxDepth: number;
};

/** Why untrusted JSON exceeds the limits; null if it does not. Stops early and does not recurse. */
export function findOversize(json: unknown, { maxValues, maxCharacters, maxDepth }: JsonLimits): string | null {
  let values = 0;
  let characters = 0;
  let level: readonly unknown[] = [json];
  for (let depth = 0; level.length > 0; depth += 1) {
    values += level.length;
    characters += level.reduce<number>((sum, value) => sum + sizeOf(value), 0);
    if (values > maxValues || characters > maxCharacters) {
      return 'is too large';
    }
    if (depth > maxDepth) {
      return `is nested more than ${maxDepth} levels deep`;
    }
    level = membersOf(level, maxValues);
  }
  return null;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.keys(value).reduce((sum, key) => sum + key.length, 1);
  }
  return typeof value === 'string' ? value.length : 1;
}

/** The members of all values, up to `max`. */
function membersOf(values: readonly unknown[], max: number): readonly unknown[] {
  const members: unknown[] = [];
  for (const value of values) {
    if (members.length > max) {
      break;
    }
    if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value).slice(0, max + 1)) {
        members.push(member);
      }
    }
  }
  return members;
}

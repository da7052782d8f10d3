/**
 * Characters that change how the text around them is shown: controls, line and paragraph separators, zero-width and
 * bidirectional marks, byte order mark; and halves of characters, which many clients cannot read.
 */
const deceptive = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A name from strangers for people and logs: one line, nothing in it moves the cursor or turns the text around. */
export function escapeName(name: string): string {
  return name.replace(deceptive, (character) => `\\u{${hex(character)}}`);
}

/** A name from strangers as an XML attribute value, without losing a character of it. */
export function escapeAttribute(name: string): string {
  return name.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`).replace(deceptive, reference);
}

/** A few characters make up most of a hostile name, and there may be a million of them. */
const references = new Map<string, string>();
const maxReferences = 1_000;

function reference(character: string): string {
  const known = references.get(character);
  if (known !== undefined) {
    return known;
  }
  const made = `&#x${hex(character)};`;
  if (references.size < maxReferences) {
    references.set(character, made);
  }
  return made;
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}

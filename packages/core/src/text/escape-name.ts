/**
 * Characters that change how the surrounding text is shown: controls, line and paragraph separators, zero-width and bidirectional marks, byte order
 * mark; and lone surrogates, which many clients cannot read.
 */
const deceptive = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** An untrusted name for people and logs: on one line, without characters that move the cursor or change the text direction. */
export function escapeName(name: string): string {
  return name.replace(deceptive, (character) => `\\u{${hex(character)}}`);
}

/** An untrusted name as an XML attribute value, without loss. */
export function escapeAttribute(name: string): string {
  return name.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`).replace(deceptive, reference);
}

/** A hostile name may have a million characters, but few different ones. */
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

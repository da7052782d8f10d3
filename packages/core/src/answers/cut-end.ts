/** Where a text may be cut for at most `maxCharacters` from `start`: at its end, or before a character that would be split. */
export function characterEnd(text: string, start: number, maxCharacters: number): number {
  const end = Math.min(text.length, start + maxCharacters);
  return splitsPair(text, end) && end - 1 > start ? end - 1 : end;
}

/** As `characterEnd`, but behind a line end where one stands in the last quarter of the room. */
export function lineEnd(text: string, start: number, maxCharacters: number): number {
  const end = characterEnd(text, start, maxCharacters);
  if (end === text.length) {
    return end;
  }
  const behindLine = text.lastIndexOf('\n', end - 1) + 1;
  return behindLine > start && behindLine - start >= maxCharacters * 0.75 ? behindLine : end;
}

/** Whether the place lies between the two halves of a character outside the basic plane. */
export function splitsPair(text: string, place: number): boolean {
  return isHighHalf(text.charCodeAt(place - 1)) && isLowHalf(text.charCodeAt(place));
}

function isHighHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

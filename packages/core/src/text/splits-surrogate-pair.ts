/** Whether the place lies between the two halves of a surrogate pair. */
export function splitsSurrogatePair(text: string, place: number): boolean {
  return isHighHalf(text.charCodeAt(place - 1)) && isLowHalf(text.charCodeAt(place));
}

function isHighHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** No one writes a longer list by hand. */
const maxRangeItems = 256;

const numbers = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/;
const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?$/;

export type BraceRange = { readonly ok: true; readonly items: readonly string[] } | { readonly ok: false };

/** The items of `1..10`, `01..10..3` or `a..e`; null for a text that is no range; not `ok` for one that is too long. */
export function expandBraceRange(text: string): BraceRange | null {
  const asNumbers = numbers.exec(text);
  const match = asNumbers ?? letters.exec(text);
  const [, from, to, step] = match ?? [];
  if (from === undefined || to === undefined) {
    return null;
  }
  const isNumeric = asNumbers !== null;
  const values = countFromTo(
    isNumeric ? Number(from) : from.charCodeAt(0),
    isNumeric ? Number(to) : to.charCodeAt(0),
    Number(step ?? 1),
  );
  if (values === null) {
    return { ok: false };
  }
  const width = [from, to].some((bound) => /^-?0\d/.test(bound)) ? Math.max(from.length, to.length) : 0;
  return { ok: true, items: values.map((value) => (isNumeric ? padNumber(value, width) : String.fromCharCode(value))) };
}

function countFromTo(from: number, to: number, step: number): number[] | null {
  const isCountable = Number.isSafeInteger(from) && Number.isSafeInteger(to) && step >= 1;
  const length = Math.floor(Math.abs(to - from) / step) + 1;
  if (!isCountable || length > maxRangeItems) {
    return null;
  }
  return Array.from({ length }, (_, index) => from + Math.sign(to - from) * step * index);
}

function padNumber(value: number, width: number): string {
  const digits = String(Math.abs(value));
  const sign = value < 0 ? '-' : '';
  return sign + digits.padStart(width - sign.length, '0');
}

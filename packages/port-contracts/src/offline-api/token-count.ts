import { recordsIn } from './json-record.ts';
import type { RecordedRequest } from './recorded-request.ts';

/** Google's own rule of thumb: about four characters to a token. */
export function countTokens(characters: number): number {
  return Math.ceil(characters / 4);
}

/** Estimate for the whole history and the system instruction. */
export function countRequestTokens(request: RecordedRequest): number {
  const texts = request.contents.flatMap(({ parts }) => recordsIn(parts).map(({ text }) => text));
  const characters = texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
  return countTokens(characters + request.systemText.length);
}

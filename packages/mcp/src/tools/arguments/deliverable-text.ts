import * as z from 'zod';

const undeliverable = 'must not contain NUL or half of a surrogate pair, which cannot be delivered as they are';

/** Text that can be handed on byte for byte; empty text is one too. */
export function deliverableText(maxCharacters: number): z.ZodString {
  return z
    .string()
    .max(maxCharacters, { abort: true })
    .refine((text) => !/\0|\p{Cs}/u.test(text), { error: undeliverable });
}

/** Deliverable text that says something. */
export function meaningfulText(maxCharacters: number): z.ZodString {
  return deliverableText(maxCharacters)
    .min(1, { abort: true })
    .refine((text) => text.trim() !== '', { error: 'must not be blank' });
}

/** What is asked of Gemini. */
export function promptText(): z.ZodString {
  return meaningfulText(1_000_000);
}

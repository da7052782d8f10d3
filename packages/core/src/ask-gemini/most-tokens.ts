import type { SentPart } from './sent-part.ts';

/**
 * With Gemini's tokenizer, code, prose, logs, tables of numbers, base64, hexadecimal digits, Chinese, Japanese, Thai, Amharic, Cyrillic and emoji come
 * to at most 1.18 times what the figures below say.
 */
const margin = 1.2;

/** A digit and a character beyond ASCII come to a token at most, nearly; two of the others to one. */
const tokensPerOther = 0.5;

const [firstDigit, lastDigit, firstBeyondAscii] = [0x30, 0x39, 0x80];

/** A PDF has at most 1,000 pages of 258 tokens each (the Gemini documentation), and a page hardly less than 4 KB. */
const mostPdfTokens = 258_000;
const pdfBytesPerToken = 16;

/** A recording may have half of the usual rate. */
const recordingMargin = 2;

/** Whether a text may come to more than so many tokens. Looks at its characters only where its length leaves it open: a megabyte takes 2 ms. */
export function mayExceedTokens(text: string, tokens: number): boolean {
  const [least, most] = [text.length * tokensPerOther * margin, text.length * margin];
  return least > tokens || (most > tokens && mostTokens(text) > tokens);
}

function mostTokens(text: string): number {
  let dense = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    dense += unit >= firstBeyondAscii || (unit >= firstDigit && unit <= lastDigit) ? 1 : 0;
  }
  return margin * (dense + (text.length - dense) * tokensPerOther);
}

/** As many tokens as an image, a PDF or a recording may come to. */
export function mostMediaTokens({ mediaType, bytes, estimatedTokens }: SentPart): number {
  if (mediaType === 'application/pdf') {
    return Math.max(estimatedTokens, Math.min(mostPdfTokens, bytes / pdfBytesPerToken));
  }
  return mediaType?.startsWith('image/') ? estimatedTokens : estimatedTokens * recordingMargin;
}

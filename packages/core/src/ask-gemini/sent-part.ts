import type { ContextBundle, ContextDocument, InlineMedia, LineRange } from '../ports/context-resolver.ts';
import { estimateTextTokens } from './estimate-text-tokens.ts';

/** One part of what is sent with the prompt. */
export type SentPart = {
  /** Data from strangers: escape it before showing it. */
  readonly path: string;
  readonly bytes: number;
  /** Never counted: see `estimateTextTokens`, and below for media. */
  readonly estimatedTokens: number;
  /** Which lines of the file; missing when it is all of it. */
  readonly lines?: LineRange;
  /** Missing for text. */
  readonly mediaType?: string;
};

/** English and code come to about four characters a token (the Gemini documentation). */
export const charactersPerToken = 4;

/** What Gemini CLI 0.61.0 reckons for an image and for a PDF, whose pages it does not count either. */
const imageTokens = 3_000;
const pdfTokens = 25_800;

/**
 * A second of sound comes to 32 tokens, one of video to some 300 (the Gemini documentation). How long a recording is, its size says at
 * usual rates: 176 kB a second for sound as it is, half of that for FLAC, 16 kB for what is compressed, and 120 kB for videos.
 */
const bytesPerToken = { sound: 5_500, flac: 2_750, compressedSound: 500, video: 400 } as const;

/** The parts of a bundle in the order in which they are sent: documents, then media. */
export function sentParts({ documents, media = [] }: ContextBundle): readonly SentPart[] {
  return [...documents.map(partOfDocument), ...media.map(partOfMedia)];
}

function partOfDocument({ path, text, sizeBytes, lines }: ContextDocument): SentPart {
  const part = { path, bytes: sizeBytes, estimatedTokens: estimateTextTokens(text) };
  return lines === undefined ? part : { ...part, lines };
}

function partOfMedia({ path, mediaType, bytes }: InlineMedia): SentPart {
  return { path, bytes: bytes.length, estimatedTokens: mediaTokens(mediaType, bytes.length), mediaType };
}

function mediaTokens(mediaType: string, size: number): number {
  const [kind] = mediaType.split('/');
  switch (kind) {
    case 'audio':
      return Math.ceil(size / bytesPerTokenOfAudio(mediaType));
    case 'video':
      return Math.ceil(size / bytesPerToken.video);
    default:
      return mediaType === 'application/pdf' ? pdfTokens : imageTokens;
  }
}

function bytesPerTokenOfAudio(mediaType: string): number {
  if (mediaType === 'audio/flac') {
    return bytesPerToken.flac;
  }
  return ['audio/wav', 'audio/aiff'].includes(mediaType) ? bytesPerToken.sound : bytesPerToken.compressedSound;
}

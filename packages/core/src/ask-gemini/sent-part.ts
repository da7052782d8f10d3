import type { ContextBundle, ContextDocument, InlineMedia, LineRange } from '../ports/context-resolver.ts';
import { estimateTextTokens } from './estimate-text-tokens.ts';

/** One part that goes with the prompt. */
export type SentPart = {
  /** Untrusted: escape it before showing it. */
  readonly path: string;
  readonly bytes: number;
  /** Always an estimate: see `estimateTextTokens`, and below for media. */
  readonly estimatedTokens: number;
  /** The lines of the file; missing if it is sent whole. */
  readonly lines?: LineRange;
  /** Missing for text. */
  readonly mediaType?: string;
};

/** English and code have about four characters for each token (the Gemini documentation). */
export const charactersPerToken = 4;

/** The figure of Gemini CLI 0.61.0 for an image and for a PDF, whose pages it does not count either. */
const imageTokens = 3_000;
const pdfTokens = 25_800;

/**
 * A second of audio has 32 tokens, one of video about 300 (the Gemini documentation). The size of a recording gives its length at usual bit rates:
 * 176 kB a second for uncompressed audio, half of that for FLAC, 16 kB for compressed audio, and 120 kB for videos.
 */
const bytesPerToken = { sound: 5_500, flac: 2_750, compressedSound: 500, video: 400 } as const;

/** The parts of a bundle in sending order: documents, then media. */
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

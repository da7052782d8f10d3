import type { ApiLogin } from './api-login.ts';

/** Of the Gemini API and of Vertex AI, for every model of the chain (November 2026). */
const everywhere: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/heic',
  'image/heif',
  'application/pdf',
  'audio/wav',
  'audio/mp3',
  'audio/ogg',
  'audio/flac',
  'video/mp4',
  'video/mpeg',
  'video/x-flv',
  'video/webm',
  'video/wmv',
  'video/3gpp',
];

/** Those that the documents of Vertex AI do not name. */
const ofGeminiApi: readonly string[] = ['audio/aiff', 'audio/aac', 'video/mov', 'video/avi'];

/**
 * What Google's documents on images, documents, audio and video list for inline data. GIFs are not among it, and Office documents are for
 * Gemini 4 alone: a fallback to another model could not take them. Without a login each call brings a key of the Gemini API.
 */
export function apiMediaTypes(login: ApiLogin | null): readonly string[] {
  return login === null || login.type === 'gemini-key' ? [...everywhere, ...ofGeminiApi] : everywhere;
}

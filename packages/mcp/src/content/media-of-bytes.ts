/** What bytes are, by their first ones. */
export type Media = {
  readonly kind: 'image' | 'audio' | 'document';
  readonly mimeType: string;
};

type Signature = Media & {
  /** From the start; null for a byte that may be any. */
  readonly bytes: readonly (number | null)[];
};

const any = null;

/**
 * The types that the models of clients take: the four kinds of images that all of them know, and common sounds. SVG and HTML are not
 * among them on purpose: they are programs, and an image of such a type ends a conversation in Claude Code.
 */
const signatures: readonly Signature[] = [
  { kind: 'image', mimeType: 'image/png', bytes: [0x89, ...ascii('PNG\r\n\x1a\n')] },
  { kind: 'image', mimeType: 'image/jpeg', bytes: [0xff, 0xd8, 0xff] },
  { kind: 'image', mimeType: 'image/gif', bytes: ascii('GIF87a') },
  { kind: 'image', mimeType: 'image/gif', bytes: ascii('GIF89a') },
  { kind: 'image', mimeType: 'image/webp', bytes: [...ascii('RIFF'), any, any, any, any, ...ascii('WEBP')] },
  { kind: 'audio', mimeType: 'audio/wav', bytes: [...ascii('RIFF'), any, any, any, any, ...ascii('WAVE')] },
  { kind: 'audio', mimeType: 'audio/flac', bytes: ascii('fLaC') },
  { kind: 'audio', mimeType: 'audio/ogg', bytes: ascii('OggS') },
  { kind: 'audio', mimeType: 'audio/mp4', bytes: [any, any, any, any, ...ascii('ftypM4A')] },
  { kind: 'audio', mimeType: 'audio/mpeg', bytes: ascii('ID3') },
  ...[0xfb, 0xfa, 0xf3, 0xf2].map(
    (second) => ({ kind: 'audio', mimeType: 'audio/mpeg', bytes: [0xff, second] }) as const,
  ),
  ...[0xf1, 0xf9].map((second) => ({ kind: 'audio', mimeType: 'audio/aac', bytes: [0xff, second] }) as const),
  { kind: 'document', mimeType: 'application/pdf', bytes: ascii('%PDF-') },
];

/** The type by the bytes themselves, whatever their sender says of it. Null for bytes of a type that clients do not show. */
export function mediaOfBytes(bytes: Uint8Array): Media | null {
  const found = signatures.find((signature) =>
    signature.bytes.every((byte, index) => (byte === any ? index < bytes.length : bytes[index] === byte)),
  );
  return found === undefined ? null : { kind: found.kind, mimeType: found.mimeType };
}

function ascii(text: string): readonly number[] {
  return [...text].map((character) => character.charCodeAt(0));
}

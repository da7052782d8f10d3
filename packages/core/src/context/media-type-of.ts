/** Number of leading bytes that `mediaTypeOf` needs: they contain two MP3 frames, and the header of a video. */
export const mediaHeadBytes = 4_096;

/** The beginnings of files by type, one character for each byte. */
const beginnings: readonly (readonly [beginning: string, mediaType: string])[] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['%PDF-', 'application/pdf'],
];

/** HEVC images (ISO/IEC 23008-12). */
const heicBrands: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']);

/** Any image in such a container, including AVIF, which is among the brands that follow. */
const generalBrands: ReadonlySet<string> = new Set(['mif1', 'msf1']);

/** The brands are among the first bytes of a file. */
const brandBytes = 64;

/**
 * The type of an image, a PDF, a recording or a video by its first bytes, in the names of the Gemini API; null for anything else, whatever its name.
 * Except for GIF and PDF, every signature contains bytes that no text has.
 */
export function mediaTypeOf(head: Uint8Array): string | null {
  const start = String.fromCharCode(...head.subarray(0, mediaHeadBytes));
  const known = beginnings.find(([beginning]) => start.startsWith(beginning));
  return known?.[1] ?? imageTypeOf(start) ?? audioTypeOf(start) ?? videoTypeOf(start);
}

/** A container's name counts only with the format's own bytes around it: text can begin with `RIFF`. */
function imageTypeOf(start: string): string | null {
  if (start.startsWith('RIFF') && /^WEBPVP8[ LX]/.test(start.slice(8))) {
    return 'image/webp';
  }
  if (!start.startsWith('\0') || start.slice(4, 8) !== 'ftyp') {
    return null;
  }
  const brand = start.slice(8, 12);
  if (heicBrands.has(brand)) {
    return 'image/heic';
  }
  return generalBrands.has(brand) && !/avi[fs]/.test(start.slice(0, brandBytes)) ? 'image/heif' : null;
}

const audioSigns: readonly MediaSign[] = [
  // The size of the first chunk is less than 16 MB, low byte first.
  {
    mediaType: 'audio/wav',
    parts: [
      [0, ['RIFF']],
      [8, ['WAVE']],
      [19, ['\0']],
    ],
  },
  // The same, high byte first.
  {
    mediaType: 'audio/aiff',
    parts: [
      [0, ['FORM']],
      [8, ['AIFF', 'AIFC']],
      [16, ['\0']],
    ],
  },
  // The first block, STREAMINFO, has 34 bytes.
  {
    mediaType: 'audio/flac',
    parts: [
      [0, ['fLaC']],
      [4, ['\0\0\0\x22', '\x80\0\0\x22']],
    ],
  },
  // The first packet of the first page names the content, which may be a video.
  {
    mediaType: 'audio/ogg',
    parts: [
      [0, ['OggS\0\x02']],
      [28, ['\x01vorbis', 'OpusHead', '\x7fFLAC', 'Speex   ']],
    ],
  },
  // Versions 2 to 4 of ID3.
  {
    mediaType: 'audio/mp3',
    parts: [
      [0, ['ID3']],
      [3, ['\x02\0', '\x03\0', '\x04\0']],
    ],
  },
];

/** The type of a recording by its first bytes, one character for each byte; null for anything else. */
function audioTypeOf(start: string): string | null {
  return typeBySign(start, audioSigns) ?? frameTypeOf(start);
}

/** Frames follow each other: two in a row are not a coincidence. */
function frameTypeOf(start: string): string | null {
  for (const [lengthOf, mediaType] of [
    [mp3FrameLength, 'audio/mp3'],
    [adtsFrameLength, 'audio/aac'],
  ] as const) {
    const length = lengthOf(start);
    if (length !== null && lengthOf(start.slice(length)) !== null) {
      return mediaType;
    }
  }
  return null;
}

const mpeg1Kilobits = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const;
const mpeg2Kilobits = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const;
const mpeg1Hertz = [44_100, 48_000, 32_000] as const;

/** The length of a layer III frame, in bytes (ISO/IEC 11172-3 and 13818-3); null if no frame begins here. */
function mp3FrameLength(start: string): number | null {
  const [first, second, third] = bytesOf(start);
  if (first !== 0xff || (second & 0xe6) !== 0xe2) {
    return null;
  }
  // 3 for MPEG 1, 2 for MPEG 2, 0 for MPEG 2.5; 1 is reserved.
  const version = (second >> 3) & 3;
  const kilobits = (version === 3 ? mpeg1Kilobits : mpeg2Kilobits)[(third >> 4) - 1];
  const hertz = mpeg1Hertz[(third >> 2) & 3];
  if (version === 1 || kilobits === undefined || hertz === undefined) {
    return null;
  }
  const rate = version === 3 ? hertz : version === 2 ? hertz / 2 : hertz / 4;
  const samplesPerBit = version === 3 ? 144_000 : 72_000;
  return Math.floor((samplesPerBit * kilobits) / rate) + ((third >> 1) & 1);
}

/** The length of an AAC frame in an ADTS stream, in bytes (ISO/IEC 13818-7); null if no frame begins here. */
function adtsFrameLength(start: string): number | null {
  const [first, second, third, fourth, fifth, sixth] = bytesOf(start);
  if (first !== 0xff || (second & 0xf6) !== 0xf0 || ((third >> 2) & 0xf) > 12) {
    return null;
  }
  const length = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
  return length > 7 ? length : null;
}

type Header = readonly [number, number, number, number, number, number];

/** Zeros beyond the end; no frame begins with zeros. */
function bytesOf(start: string): Header {
  const byteAt = (place: number): number => (place < start.length ? start.charCodeAt(place) : 0);
  return [byteAt(0), byteAt(1), byteAt(2), byteAt(3), byteAt(4), byteAt(5)];
}

/** ISO files (ISO/IEC 14496-12). `M4A ` and `M4B ` are audio only, and the API has no type for them. */
const mp4Brands = [
  'isom',
  'iso2',
  'iso4',
  'iso5',
  'iso6',
  'mp41',
  'mp42',
  'avc1',
  'M4V ',
  'M4VH',
  'M4VP',
  'dash',
  'MSNV',
];
const mobileBrands = ['3gp4', '3gp5', '3gp6', '3gp7', '3gr6', '3gs6', '3ge6', '3g2a', '3g2b', '3g2c'];

const isoFile = (mediaType: string, brands: readonly string[]): MediaSign => ({
  mediaType,
  parts: [
    [0, ['\0']],
    [4, ['ftyp']],
    [8, brands],
  ],
});

const videoSigns: readonly MediaSign[] = [
  isoFile('video/mp4', mp4Brands),
  isoFile('video/mov', ['qt  ']),
  isoFile('video/3gpp', mobileBrands),
  // A pack header, or a sequence header.
  { mediaType: 'video/mpeg', parts: [[0, ['\0\0\x01\xba', '\0\0\x01\xb3']]] },
  // The size of the first list is less than 16 MB, low byte first.
  {
    mediaType: 'video/avi',
    parts: [
      [0, ['RIFF']],
      [8, ['AVI LIST']],
      [19, ['\0hdrl']],
    ],
  },
  {
    mediaType: 'video/x-flv',
    parts: [
      [0, ['FLV\x01']],
      [5, ['\0\0\0\x09']],
    ],
  },
  // EBML with the document type of WebM: any other is Matroska.
  { mediaType: 'video/webm', parts: [[0, ['\x1a\x45\xdf\xa3']]], includes: '\x42\x82\x84webm' },
  // ASF with a video stream, because it may also contain audio only.
  {
    mediaType: 'video/wmv',
    parts: [[0, ['\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\0\xaa\0\x62\xce\x6c']]],
    includes: '\xc0\xef\x19\xbc\x4d\x5b\xcf\x11\xa8\xfd\0\x80\x5f\x5c\x44\x2b',
  },
];

/** The type of a video by its first bytes, one character for each byte; null for anything else. */
function videoTypeOf(start: string): string | null {
  return typeBySign(start, videoSigns);
}

/** The signature of one file type, one character for each byte. */
type MediaSign = {
  readonly mediaType: string;
  /** Each place holds one of these texts. Together they contain bytes that no text has: a format's name alone can begin a text. */
  readonly parts: readonly (readonly [place: number, oneOf: readonly string[]])[];
  /** Must also occur somewhere in the beginning. */
  readonly includes?: string;
};

/** The type whose signature matches the beginning of a file, or null. */
function typeBySign(start: string, signs: readonly MediaSign[]): string | null {
  const bears = ({ parts, includes = '' }: MediaSign): boolean =>
    parts.every(([place, oneOf]) => oneOf.some((text) => start.startsWith(text, place))) && start.includes(includes);
  return signs.find(bears)?.mediaType ?? null;
}

import { type MediaSign, typeBySign } from './media-sign.ts';

const signs: readonly MediaSign[] = [
  // The size of the first chunk is less than 16 MB, its low byte first.
  {
    mediaType: 'audio/wav',
    parts: [
      [0, ['RIFF']],
      [8, ['WAVE']],
      [19, ['\0']],
    ],
  },
  // The same, its high byte first.
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
  // The first packet of the first page says what is in it: it may be a video.
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

/** The type of a recording by how its file begins, a character for each byte; null for anything else. */
export function audioTypeOf(start: string): string | null {
  return typeBySign(start, signs) ?? frameTypeOf(start);
}

/** Frames follow each other: two in a row are no accident. */
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

/** Of a frame of layer III, in bytes (ISO/IEC 11172-3 and 13818-3); null where none begins. */
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

/** Of a frame of AAC in an ADTS stream, in bytes (ISO/IEC 13818-7); null where none begins. */
function adtsFrameLength(start: string): number | null {
  const [first, second, third, fourth, fifth, sixth] = bytesOf(start);
  if (first !== 0xff || (second & 0xf6) !== 0xf0 || ((third >> 2) & 0xf) > 12) {
    return null;
  }
  const length = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
  return length > 7 ? length : null;
}

type Header = readonly [number, number, number, number, number, number];

/** Zeros beyond the end, with which no frame begins. */
function bytesOf(start: string): Header {
  const byteAt = (place: number): number => (place < start.length ? start.charCodeAt(place) : 0);
  return [byteAt(0), byteAt(1), byteAt(2), byteAt(3), byteAt(4), byteAt(5)];
}

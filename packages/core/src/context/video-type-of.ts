import { type MediaSign, typeBySign } from './media-sign.ts';

/** Of ISO files (ISO/IEC 14496-12). `M4A ` and `M4B ` are sound alone, and no type of the API. */
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

const signs: readonly MediaSign[] = [
  isoFile('video/mp4', mp4Brands),
  isoFile('video/mov', ['qt  ']),
  isoFile('video/3gpp', mobileBrands),
  // A header of a pack, or of a sequence.
  { mediaType: 'video/mpeg', parts: [[0, ['\0\0\x01\xba', '\0\0\x01\xb3']]] },
  // The size of the first list is less than 16 MB, its low byte first.
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
  // ASF with a stream whose media type is video, for it holds sound alone as well.
  {
    mediaType: 'video/wmv',
    parts: [[0, ['\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\0\xaa\0\x62\xce\x6c']]],
    includes: '\xc0\xef\x19\xbc\x4d\x5b\xcf\x11\xa8\xfd\0\x80\x5f\x5c\x44\x2b',
  },
];

/** The type of a video by how its file begins, a character for each byte; null for anything else. */
export function videoTypeOf(start: string): string | null {
  return typeBySign(start, signs);
}

import { isAscii, isUtf8, transcode } from 'node:buffer';

type Undecodable = { readonly ok: false; readonly reason: 'binary' | 'not-utf8'; readonly detail?: string };

export type DecodedText = { readonly ok: true; readonly text: string } | Undecodable;

/** The first bytes of files that are not UTF-8 text, or that would pass as text although they are meant for programs. Latin-1. */
const beginnings: ReadonlyMap<string, Undecodable> = new Map([
  // UTF-32 first: its byte order mark begins with that of UTF-16.
  ['\xff\xfe\0\0', { ok: false, reason: 'not-utf8', detail: 'UTF-32' }],
  ['\0\0\xfe\xff', { ok: false, reason: 'not-utf8', detail: 'UTF-32' }],
  ['\xff\xfe', { ok: false, reason: 'not-utf8', detail: 'UTF-16' }],
  ['\xfe\xff', { ok: false, reason: 'not-utf8', detail: 'UTF-16' }],
  ['\x89PNG', binary('PNG')],
  ['\xff\xd8\xff', binary('JPEG')],
  ['GIF87a', binary('GIF')],
  ['GIF89a', binary('GIF')],
  ['%PDF-', binary('PDF')],
  ['\x7fELF', binary('ELF')],
  ['PK\x03\x04', binary('zip')],
  ['PK\x05\x06', binary('zip')],
  ['\x1f\x8b', binary('gzip')],
  ['BZh91AY&SY', binary('bzip2')],
  ['\xfd7zXZ', binary('xz')],
  ['7z\xbc\xaf', binary('7z')],
  ['Rar!\x1a', binary('rar')],
  ['\x28\xb5\x2f\xfd', binary('zstd')],
  ['!<arch>\n', binary('ar')],
  ['SQLite format 3', binary('SQLite')],
  ['OggS', binary('Ogg')],
  ['wOFF', binary('WOFF')],
  ['wOF2', binary('WOFF2')],
]);
const longestBeginning = 15;
const firstBytes: ReadonlySet<number | undefined> = new Set(
  [...beginnings.keys()].map((beginning) => beginning.charCodeAt(0)),
);

function binary(detail: string): Undecodable {
  return { ok: false, reason: 'binary', detail };
}

/** Decodes UTF-8 without loss: encoding the text again yields the same bytes. A byte order mark stays in the text. */
export function decodeText(bytes: Buffer): DecodedText {
  return judgeText(bytes) ?? { ok: true, text: decodeUtf8(bytes) };
}

/** Above this, speed matters more than the second byte that each character of western European text then takes. */
const quickBytes = 262_144;

/** Decodes bytes that `judgeText` has accepted as text. */
export function decodeUtf8(bytes: Buffer): string {
  if (bytes.length <= quickBytes) {
    // Buffer.toString keeps a byte order mark; TextDecoder drops it by default.
    return bytes.toString('utf8');
  }
  if (isAscii(bytes)) {
    return bytes.toString('latin1');
  }
  // With Node 20, Buffer.toString blocked the event loop for 120 ms on 8 MB of Chinese; this takes 26 ms.
  return transcode(bytes, 'utf8', 'ucs2').toString('ucs2');
}

/** Why the bytes are not text; null if `decodeText` can decode them. */
export function judgeText(bytes: Buffer): Undecodable | null {
  const known = findBeginning(bytes);
  if (known !== null) {
    return known;
  }
  if (bytes.includes(0)) {
    return binary('NUL bytes');
  }
  return isUtf8(bytes) ? null : { ok: false, reason: 'not-utf8' };
}

function findBeginning(bytes: Buffer): Undecodable | null {
  if (!firstBytes.has(bytes[0])) {
    return null;
  }
  const start = bytes.toString('latin1', 0, longestBeginning);
  const found = [...beginnings].find(([beginning]) => start.startsWith(beginning));
  return found?.[1] ?? null;
}

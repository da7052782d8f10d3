/** In pixels, as the header of an image states it. */
export type ImageSize = { readonly width: number; readonly height: number };

/** Reads the size of a PNG, GIF, WebP or JPEG of the given MIME type from its header. Null if the header is cut off or states none. */
export function imageSize(bytes: Uint8Array, mimeType: string): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = readers[mimeType]?.(view) ?? null;
    return size !== null && size.width > 0 && size.height > 0 ? size : null;
  } catch {
    // The read went past the end of the bytes.
    return null;
  }
}

const readers: Readonly<Record<string, (view: DataView) => ImageSize | null>> = {
  'image/png': (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  'image/gif': (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  'image/webp': sizeOfWebp,
  'image/jpeg': sizeOfJpeg,
};

/** Reads the first chunk, which is lossy, lossless or extended. */
function sizeOfWebp(view: DataView): ImageSize | null {
  switch (view.getUint32(12)) {
    case 0x56_50_38_20:
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 0x56_50_38_4c: {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 0x56_50_38_58:
      return { width: (view.getUint32(24, true) & 0xff_ffff) + 1, height: (view.getUint32(26, true) >>> 8) + 1 };
    default:
      return null;
  }
}

/** Reads the first frame header, which follows segments of any length. */
function sizeOfJpeg(view: DataView): ImageSize | null {
  let place = 2;
  while (view.getUint8(place) === 0xff) {
    const marker = view.getUint8(place + 1);
    if (isFrameHeader(marker)) {
      return { height: view.getUint16(place + 5), width: view.getUint16(place + 7) };
    }
    // A marker follows a fill byte. Any other segment states its length, including the length field.
    place += marker === 0xff ? 1 : 2 + Math.max(2, view.getUint16(place + 2));
  }
  return null;
}

function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

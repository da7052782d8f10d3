import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headers } from '../testing/made-media.ts';
import { imageSize, mediaOfBytes } from './read-media.ts';

describe.each(Object.entries(headers))('imageSize of a %s', (name, header) => {
  const mimeType = `image/${name.split(' ').at(-1)}`;

  it('reads the size that was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16_383 }), fc.integer({ min: 1, max: 16_383 }), (width, height) => {
        const bytes = Uint8Array.from(header({ width, height }));
        expect(mediaOfBytes(bytes)).toEqual({ kind: 'image', mimeType });
        expect(imageSize(bytes, mimeType)).toEqual({ width, height });
      }),
    );
  });

  it('returns null if the header is cut', () => {
    const bytes = header({ width: 7, height: 9 });
    expect(imageSize(Uint8Array.from(bytes.slice(0, -1)), mimeType)).toBeNull();
  });
});

it.each(['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'audio/wav'])(
  'imageSize of any bytes as %s never throws',
  (mimeType) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const size = imageSize(bytes, mimeType);
        expect(size === null || (size.width > 0 && size.height > 0)).toBe(true);
      }),
    );
  },
);

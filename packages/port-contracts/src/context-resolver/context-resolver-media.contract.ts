import { describe, expect } from 'vitest';
import { type ContextResolverSubject, leftOutEntry, pathsOf } from './context-resolver-harness.ts';

/** Images and PDFs. */
export function describeContextResolverMedia({ proof, resolve }: ContextResolverSubject): void {
  describe('images and PDFs', () => {
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 0xff]);
    const pdf = Uint8Array.from([0x25, 0x50, 0x44, 0x46, 0x2d, 0x31, 0x0a]);
    const tree = { 'z.png': png, 'doc/a': pdf, 'a.txt': 'text', 'text.png': 'no picture' };
    const carried = { mediaTypes: ['image/png', 'application/pdf'], maxMediaBytes: 19 };

    proof.promise(
      'the content of a named file decides its type, and its bytes arrive unchanged with the documents',
      async () => {
        const { documents, media, leftOut } = await resolve(tree, { files: Object.keys(tree), ...carried });
        expect(pathsOf(documents)).toEqual(['a.txt', 'text.png']);
        expect(media).toEqual([
          { path: 'doc/a', mediaType: 'application/pdf', bytes: pdf },
          { path: 'z.png', mediaType: 'image/png', bytes: png },
        ]);
        expect(leftOut).toEqual([]);
      },
    );

    proof.promise('comes in the order of its paths, whatever its size', async () => {
      const larger = Uint8Array.from([...png, 3]);
      const images = { 'c.png': larger, 'b.png': png, 'a.png': Uint8Array.from([...larger, 4, 5]) };
      const { media } = await resolve(images, { files: Object.keys(images), ...carried, maxMediaBytes: 100 });
      expect(media?.map(({ path, bytes }) => [path, bytes.length])).toEqual([
        ['a.png', 15],
        ['b.png', 12],
        ['c.png', 13],
      ]);
    });

    proof.promise('is one part however often it is named', async () => {
      const { media, leftOut } = await resolve(tree, { files: ['z.png', './z.png', 'doc/../z.png'], ...carried });
      expect(media).toHaveLength(1);
      expect(leftOut).toEqual([]);
    });

    proof.promise('is left out if mediaTypes lacks its type', async () => {
      const bundle = await resolve(tree, { files: ['z.png', 'doc/a'], ...carried, mediaTypes: ['image/gif'] });
      expect(bundle).toEqual({
        documents: [],
        leftOut: [
          leftOutEntry('doc/a', 'media-not-carried', 'file'),
          leftOutEntry('z.png', 'media-not-carried', 'file'),
        ],
      });
      const { leftOut } = await resolve(tree, { files: ['z.png'] });
      expect(leftOut).toEqual([leftOutEntry('z.png', 'media-not-carried', 'file')]);
    });

    proof.promise('is left out beyond maxMediaBytes, and smaller later ones still fit', async () => {
      const both = { 'a.png': png, b: pdf };
      const first = await resolve(both, { files: ['a.png', 'b'], ...carried, maxMediaBytes: 18 });
      expect(first.media?.map(({ path }) => path)).toEqual(['a.png']);
      expect(first.leftOut).toEqual([leftOutEntry('b', 'over-media-limit', 'file')]);
      const second = await resolve(both, { files: ['a.png', 'b'], ...carried, maxMediaBytes: 11 });
      expect(second.media?.map(({ path }) => path)).toEqual(['b']);
      const { leftOut } = await resolve(both, { files: ['b'], mediaTypes: carried.mediaTypes });
      expect(leftOut).toEqual([leftOutEntry('b', 'over-media-limit', 'file')]);
    });

    proof.promise('counts towards maxFiles, not towards maxBytes', async () => {
      const wanted = { files: ['doc/a', 'a.txt', 'z.png'], ...carried };
      const small = await resolve(tree, { ...wanted, maxBytes: 4 });
      expect(small.leftOut).toEqual([]);
      const few = await resolve(tree, { ...wanted, maxFiles: 2 });
      expect(few.media?.map(({ path }) => path)).toEqual(['doc/a']);
      expect(few.leftOut).toEqual([leftOutEntry('z.png', 'over-file-limit', 'file')]);
    });

    proof.promise('media that a pattern or a walk finds stays binary', async () => {
      const { media, leftOut } = await resolve({ 'doc/z': png }, { globPatterns: ['*/z'], ...carried });
      expect(media).toBeUndefined();
      expect(leftOut).toEqual([leftOutEntry('doc/z', 'binary', 'glob')]);
      const walked = await resolve({ 'doc/z': png }, { directories: ['.'], ...carried });
      expect(walked).toEqual({ documents: [], leftOut: [leftOutEntry('doc/z', 'binary', 'directory')] });
    });

    proof.promise('a walk reports nothing about files that were sent', async () => {
      const { media, leftOut } = await resolve(tree, {
        files: ['z.png'],
        globPatterns: ['*.png'],
        directories: ['.'],
        ...carried,
      });
      expect(media).toHaveLength(1);
      expect(leftOut.map(({ path }) => path)).not.toContain('z.png');
    });

    proof.promise('has no lines', async () => {
      const { media, leftOut } = await resolve(tree, { files: ['z.png:1'], ...carried });
      expect(media).toBeUndefined();
      expect(leftOut).toEqual([leftOutEntry('z.png:1', 'no-such-lines', 'file')]);
    });
  });
}

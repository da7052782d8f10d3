import { describe, expect, it } from 'vitest';
import { cliMediaTypes, nameMediaFiles } from './media-files.ts';

describe('nameMediaFiles', () => {
  it('gives each a name of ours, whatever it is called, with the ending of its type', () => {
    const media = cliMediaTypes.map((mediaType, index) => ({
      path: `../../}{ @{${index}}.exe`,
      mediaType,
      bytes: new Uint8Array([index]),
    }));
    const files = nameMediaFiles(media, 'run');
    expect(files.map(({ name }) => name)).toEqual([
      ...['run-1.png', 'run-2.jpg', 'run-3.webp', 'run-4.gif', 'run-5.heic', 'run-6.heif', 'run-7.pdf'],
    ]);
    expect(files.map(({ bytes }) => bytes)).toEqual(media.map(({ bytes }) => bytes));
  });
});

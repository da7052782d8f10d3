// `node scripts/sample-comments.mjs <seed>`: prints 60 comments of the shipped sources, drawn by the seed, to judge whether each reads plainly.
import { readSources } from './rooms.mjs';

const sampleSize = 60;
const comment = /^[ \t]*\/\*\*[\s\S]*?\*\/|(?:^[ \t]*\/\/[^\n]*\n)+/gm;

const comments = readSources().flatMap(({ path, text }) =>
  [...text.matchAll(comment)].map(({ 0: block, index }) => ({
    place: `${path}:${text.slice(0, index).split('\n').length}`,
    words: block
      .replace(/^[ \t]*(?:\/\*\*|\*\/|\*|\/\/)[ \t]?|\*\/\s*$/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  })),
);

for (const { place, words } of draw(comments, sampleSize, Number(process.argv[2] ?? 1))) {
  console.log(`${place}\n  ${words}`);
}

/** Draws without replacement. The same seed draws the same comments of the same sources (mulberry32). */
function draw(all, count, seed) {
  const rest = [...all];
  let state = seed;
  return Array.from({ length: Math.min(count, rest.length) }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    return rest.splice(Math.floor(fraction * rest.length), 1)[0];
  });
}

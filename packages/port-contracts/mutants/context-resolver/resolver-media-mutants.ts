import type { ContextSelection } from '@gemini-mcp/core';
import type { ContextPlace } from '../../src/context-resolver/context-resolver-harness.ts';
import { changingBundle, changingSelection, type ResolverMutant } from './resolver-mutant.ts';

type Fields = (selection: ContextSelection, place: ContextPlace) => Partial<ContextSelection>;

const allTypes: Fields = ({ mediaTypes }) => (mediaTypes ? { mediaTypes: ['image/png', 'application/pdf'] } : {});

/** Mutants of images and PDFs. */
export const mediaMutants: readonly ResolverMutant[] = [
  {
    name: 'media-not-asked-for',
    wrong: 'sends types of media that were not requested',
    create: changingSelection(allTypes),
  },
  {
    name: 'one-media-byte-more',
    wrong: 'sends one byte of media more than maxMediaBytes',
    create: changingSelection(({ maxMediaBytes = 0 }) => ({ maxMediaBytes: maxMediaBytes + 1 })),
  },
  ...(['media-by-size', 'largest-media-first'] as const).map(
    (name): ResolverMutant => ({
      name,
      wrong: `sends the ${name === 'media-by-size' ? 'smallest' : 'largest'} media first`,
      create: changingBundle(({ media }) => {
        const sorted = media?.toSorted((one, other) => one.bytes.length - other.bytes.length);
        return sorted === undefined ? {} : { media: name === 'media-by-size' ? sorted : sorted.toReversed() };
      }),
    }),
  ),
  {
    name: 'media-by-name',
    wrong: 'takes the type of media from the name',
    create: changingBundle(({ media }) =>
      media === undefined ? {} : { media: media.filter(({ path }) => /\.(?:png|pdf)$/.test(path)) },
    ),
  },
  {
    name: 'media-over-max-files',
    wrong: 'does not count media towards maxFiles',
    create: changingSelection(({ maxFiles, mediaTypes }) => ({ maxFiles: maxFiles + (mediaTypes ? 1 : 0) })),
  },
];

import type { LeftOut } from '@gemini-mcp/core';
import { createRightResolver, type ResolverMutant, withoutEntries } from './resolver-mutant.ts';

/** The right resolver with other patterns, whose entries show the caller's. */
function changingPatterns(change: (pattern: string) => readonly string[]): ResolverMutant['create'] {
  return (place) => {
    const right = createRightResolver(place);
    return {
      resolve: async (selection, signal) => {
        const globPatterns = selection.globPatterns.flatMap(change);
        const bundle = await right.resolve({ ...selection, globPatterns }, signal);
        const isPattern = ({ path, origin }: LeftOut): boolean => origin === 'glob' && globPatterns.includes(path);
        const refused = new Map(bundle.leftOut.filter(isPattern).map((entry) => [entry.path, entry]));
        const entries = selection.globPatterns.flatMap((pattern) => {
          const [first, ...more] = change(pattern).map((changed) => refused.get(changed));
          return first === undefined || more.includes(undefined) ? [] : [{ ...first, path: pattern }];
        });
        return { ...bundle, leftOut: [...entries, ...bundle.leftOut.filter((entry) => !isPattern(entry))] };
      },
    };
  };
}

/** Mutants of patterns. */
export const patternMutants: readonly ResolverMutant[] = [
  {
    name: 'first-brace-only',
    wrong: 'uses only the first choice of braces',
    create: changingPatterns((pattern) => [pattern.replace(/\{([^{},]*),[^{}]*\}/g, '$1')]),
  },
  {
    name: 'no-nested-braces',
    wrong: 'does not support nested braces',
    create: changingPatterns((pattern) => [pattern.replace(/(\{[^{}]*)\{[^{}]*\}/g, '$1none')]),
  },
  {
    name: 'patterns-without-case',
    wrong: 'matches `a.ts` by `*.TS`',
    create: changingPatterns((pattern) => [/[A-Z]/.test(pattern) ? pattern.toLowerCase() : pattern]),
  },
  {
    name: 'star-crosses-directories',
    wrong: 'matches `src/deep/z.ts` by `src/*`',
    create: changingPatterns((pattern) =>
      pattern.endsWith('/*') ? [pattern, pattern.replace(/\*$/, '**/*')] : [pattern],
    ),
  },
  {
    name: 'double-star-one-level',
    wrong: 'matches at most one directory by `**`',
    create: changingPatterns((pattern) =>
      pattern.startsWith('**/') ? [pattern.slice(3), pattern.replace('**', '*')] : [pattern],
    ),
  },
  {
    name: 'unanchored-end',
    wrong: 'matches `a.tsx` by `*.ts`',
    create: changingPatterns((pattern) => (pattern.endsWith('.ts') ? [pattern, `${pattern}*`] : [pattern])),
  },
  {
    name: 'unanchored-start',
    wrong: 'matches `x-a.ts` by `a.ts`',
    create: changingPatterns((pattern) => (/^\w/.test(pattern) ? [pattern, `*${pattern}`] : [pattern])),
  },
  {
    name: 'never-hidden',
    wrong: 'matches no hidden file even if the pattern spells out the dot',
    create: changingPatterns((pattern) => [pattern.replace(/(^|\/)\.(?=\w)/g, '$1none')]),
  },
  {
    name: 'negation',
    wrong: 'takes `!a.ts` for all other files',
    create: changingPatterns((pattern) => [pattern.startsWith('!') ? '**' : pattern]),
  },
  {
    name: 'hides-no-match',
    wrong: 'does not report a pattern that matches nothing',
    create: withoutEntries(({ reason }) => reason === 'pattern-without-match'),
  },
  {
    name: 'hides-refused-pattern',
    wrong: 'does not report a pattern that it refuses',
    create: withoutEntries(({ reason }) => reason === 'pattern-refused'),
  },
];

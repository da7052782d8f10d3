import type { GeminiRunner, RunRequest, RunSettings } from '@gemini-mcp/core';
import { changingEvents, changingFailures, changingSettings, type RunnerMutant, settingsOf } from './runner-mutant.ts';

/** Tries with the directory, and where that is refused with other settings. */
function whereRefused(
  right: GeminiRunner,
  change: (settings: RunSettings) => Partial<RunSettings>,
): Pick<GeminiRunner, 'run'> {
  return {
    run: async function* run(request, signal) {
      for await (const event of right.run(request, signal)) {
        if (event.type === 'failure' && event.failure.kind === 'directory-refused') {
          yield* right.run({ ...request, settings: settingsOf(request, change) }, signal);
          return;
        }
        yield event;
      }
    },
  };
}

function beginsAlike(request: RunRequest): boolean {
  const { directory, roots = [] } = settingsOf(request);
  return roots.some((root) => directory?.startsWith(root) ?? false);
}

/** Which directories they give, and what they say of those that they do not. */
export const runnerDirectoryMutants: readonly RunnerMutant[] = [
  {
    name: 'ignores-directory',
    wrong: 'runs without the directory',
    mutate: changingSettings(() => ({ directory: null })),
  },
  {
    name: 'gives-parent',
    wrong: 'gives the directory above as well',
    mutate: changingSettings(({ directory, roots }) => ({
      directory: directory?.replace(/\/inner$/, '') ?? null,
      ...(roots !== undefined && { roots }),
    })),
  },
  {
    name: 'ignores-roots',
    wrong: 'gives any directory that it may give, wherever the roots of the request are',
    mutate: changingSettings(({ directory, roots }) =>
      roots === undefined ? {} : { roots: directory === null ? [] : [directory] },
    ),
  },
  {
    name: 'no-roots-are-all',
    wrong: 'takes no roots for all that it may give',
    mutate: changingSettings(({ directory, roots }) =>
      roots?.length === 0 && directory !== null ? { roots: [directory] } : {},
    ),
  },
  {
    name: 'first-root-only',
    wrong: 'looks at the first root of a request',
    mutate: changingSettings(({ roots }) => (roots === undefined ? {} : { roots: roots.slice(0, 1) })),
  },
  {
    name: 'root-by-beginning',
    wrong: 'gives a directory whose name begins like that of a root',
    mutate: (right) => ({
      run: (request, signal) => {
        const { directory } = settingsOf(request);
        const settings = settingsOf(request, () => (directory === null ? {} : { roots: [directory] }));
        return right.run(beginsAlike(request) ? { ...request, settings } : request, signal);
      },
    }),
  },
  {
    name: 'above-a-root',
    wrong: 'gives a directory that holds a root',
    mutate: changingSettings(({ directory, roots }) =>
      directory !== null && roots?.some((root) => root.startsWith(`${directory}/`)) ? { roots: [directory] } : {},
    ),
  },
  {
    name: 'runs-without-refused',
    wrong: 'runs without a directory that it may not give, and does not say so',
    mutate: (right) => whereRefused(right, () => ({ directory: null })),
  },
  {
    name: 'all-optional',
    wrong: 'runs without a directory that it may not give, and says so, where the request does not allow that',
    mutate: (right) => whereRefused(right, () => ({ directoryIsOptional: true })),
  },
  {
    name: 'none-optional',
    wrong: 'refuses a directory that it may not give, where the request could do without',
    mutate: changingSettings(() => ({ directoryIsOptional: false })),
  },
  {
    name: 'silent-without-optional',
    wrong: 'does not say that it runs without the directory',
    mutate: changingEvents((event) => (event.type === 'notice' ? [] : [event])),
  },
  {
    name: 'notice-as-text',
    wrong: 'says in the text of the answer that it runs without the directory',
    mutate: changingEvents((event) => [event.type === 'notice' ? { type: 'text', text: event.text } : event]),
  },
  {
    name: 'notice-for-all',
    wrong: 'says that it runs without a directory that it gives',
    mutate: (right) => ({
      run: async function* run(request, signal) {
        if (settingsOf(request).directory !== null) {
          yield { type: 'notice', text: 'Gemini could not look into the working directory.' };
        }
        yield* right.run(request, signal);
      },
    }),
  },
  {
    name: 'refused-as-unsupported',
    wrong: 'says that it gives no directories where it may not give one',
    mutate: changingFailures((failure) =>
      failure.kind === 'directory-refused' ? { kind: 'unsupported', feature: 'directory' } : failure,
    ),
  },
];

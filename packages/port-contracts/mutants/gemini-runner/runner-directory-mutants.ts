import { changingEvents, changingFailures, type RunnerMutant } from './runner-mutant.ts';

/** Mutants of directories. */
export const runnerDirectoryMutants: readonly RunnerMutant[] = [
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
        if (request.directory !== undefined) {
          yield { type: 'notice', text: 'Gemini could not look into the working directory.' };
        }
        yield* right.run(request, signal);
      },
    }),
  },
  {
    name: 'refused-as-unsupported',
    wrong: 'says that it gives no directories when it may not give one',
    mutate: changingFailures((failure) =>
      failure.kind === 'directory-refused' ? { kind: 'unsupported', feature: 'directory' } : failure,
    ),
  },
];

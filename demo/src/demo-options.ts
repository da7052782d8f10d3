import { parseArgs } from 'node:util';

export type DemoOptions = {
  readonly prompt: string;
  readonly files: readonly string[];
  readonly globs: readonly string[];
  readonly directories: readonly string[];
  readonly model: string | null;
};

export const usage = `Options (those that name files may be given several times):
  --prompt TEXT        what to ask
  --files PATH         a file, relative to the root of the repository
  --globs PATTERN      files by pattern, such as 'packages/*/src/ports/*.ts'
  --directories PATH   a directory, with all below it
  --model NAME         ask this model and no other
`;

const defaults = {
  prompt: 'What are the ports of this project, and what does each promise? Answer in a few lines.',
  files: ['README.md'],
  globs: ['packages/core/src/ports/*.ts'],
};

/** Reads the command line. Throws a `TypeError` that names the wrong option. */
export function readDemoOptions(args: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      prompt: { type: 'string' },
      files: { type: 'string', multiple: true, default: [] },
      globs: { type: 'string', multiple: true, default: [] },
      directories: { type: 'string', multiple: true, default: [] },
      model: { type: 'string' },
    },
  });
  const { prompt, files, globs, directories, model = null } = values;
  if (prompt === undefined && files.length + globs.length + directories.length === 0) {
    return { ...defaults, directories, model };
  }
  return { prompt: prompt ?? defaults.prompt, files, globs, directories, model };
}

import type { FileChange } from '../ports/workspace-steps.ts';
import type { CommandPlan, CommandWord } from './command-plan.ts';
import type { CommandJudgement } from './command-rule.ts';
import { unwrapCommand } from './unwrap-command.ts';

/** Programs that run what a file of the project says by a name, and what such files are called, in lower case. */
const manifests: Readonly<Record<string, RegExp>> = {
  npm: /^package\.json$/,
  npx: /^package\.json$/,
  pnpm: /^package\.json$/,
  yarn: /^package\.json$/,
  bun: /^package\.json$/,
  turbo: /^(?:package|turbo)\.json$/,
  make: /^(?:gnu)?makefile$|\.mk$/,
  just: /^\.?justfile$|\.just$/,
  rake: /^rakefile$|\.rake$/,
  task: /^taskfile\.ya?ml$/,
};

/** A line that only says which version of a package is wanted: an install adds such lines, and nothing runs them. */
const dependencyLine = /^\s*"(?:@[\w.-]+\/)?[\w.-]+":\s*"(?:workspace:)?[\^~]?\d+(?:\.\d+|\.x){0,2}[\w.+-]*",?\s*$/;

/** Brackets, and the names of the parts that hold such lines. */
const frameLine = /^\s*(?:"(?:dev|peer|optional)?dependencies":\s*\{?|[{}],?)?\s*$/i;

/** Whether a command line runs scripts that a file of the project names, so that it is to be known what the run has changed. */
export function runsScripts(plan: CommandPlan): boolean {
  return manifestsOf(plan).length > 0;
}

/**
 * Decides for a command line that runs scripts, by what its run has changed so far: a script that was changed is a new command, and the
 * user is asked. Null where no script was changed.
 */
export function judgeScripts(plan: CommandPlan, changes: readonly FileChange[]): CommandJudgement | null {
  const wanted = manifestsOf(plan);
  const changed = changes.find(({ path, ...change }) => {
    const name = path.split('/').at(-1)?.toLowerCase() ?? '';
    return wanted.some((manifest) => manifest.test(name)) && mayChangeScripts(name, change);
  });
  return changed === undefined
    ? null
    : {
        decision: 'ask',
        reason: `This run has changed ${changed.path}, which says what the command runs.`,
        rule: null,
      };
}

function manifestsOf({ pipelines }: CommandPlan): readonly RegExp[] {
  const programs = pipelines
    .flatMap(({ commands }) => commands)
    .map(({ words }) => unwrapCommand(words)[0])
    .map(programOf);
  return programs.flatMap((program) => (Object.hasOwn(manifests, program) ? (manifests[program] ?? []) : []));
}

/** By whatever path it is named. */
function programOf(word: CommandWord | undefined): string {
  return word?.type === 'literal' ? (word.text.split('/').at(-1) ?? '') : '';
}

/** All that is added has to be known to run nothing. What is only taken away adds no script. */
function mayChangeScripts(name: string, { kind, diff }: Pick<FileChange, 'kind' | 'diff'>): boolean {
  if (name !== 'package.json' || kind === 'created' || !diff.includes('@@')) {
    return kind !== 'deleted';
  }
  const added = diff.split('\n').filter((line) => line.startsWith('+') && !line.startsWith('+++ '));
  return !added.map((line) => line.slice(1)).every((line) => dependencyLine.test(line) || frameLine.test(line));
}

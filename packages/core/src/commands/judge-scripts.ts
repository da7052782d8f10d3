import type { CommandPlan, CommandWord } from '../ports/workspace/command-plan.ts';
import type { FileChange } from '../ports/workspace/file-steps.ts';
import type { RunChanges } from '../ports/workspace/undo.ts';
import type { CommandJudgement } from './command-rule.ts';
import { unwrapCommand } from './judge-command.ts';

/** Programs that run scripts by their names in a project file, and the lower-case names of these files. */
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

/** Programs that run one of those by a path, such as `node /usr/bin/npm test`, or run scripts themselves (`node --run test`). */
const runners: ReadonlySet<string> = new Set(['node', 'nodejs', 'bun', 'deno', 'corepack', 'env', 'xargs']);

/** Directories of packages, whose files are reported together. */
const packages = /(?:^|\/)(?:node_modules|vendor|target|\.venv|venv|\.yarn|\.cache)(?:\/|$)/;

/** A line that only names the version of a package: an install adds such lines, and nothing runs them. */
const dependencyLine = /^\s*"(?:@[\w.-]+\/)?[\w.-]+":\s*"(?:workspace:)?[\^~]?\d+(?:\.\d+|\.x){0,2}[\w.+-]*",?\s*$/;

/** Brackets, and the names of the sections that hold such lines. */
const frameLine = /^\s*(?:"(?:dev|peer|optional)?dependencies":\s*\{?|[{}],?)?\s*$/i;

/** A comparable key for the programs that run scripts from a file of this name; null if none does. */
export function scriptKindOf(name: string): string | null {
  return Object.values(manifests).find((manifest) => manifest.test(name.toLowerCase()))?.source ?? null;
}

/** Whether a command line runs scripts of a project file, so that the run's changes matter. */
export function runsScripts(plan: CommandPlan): boolean {
  return manifestsOf(plan).length > 0 || namesPackages(plan);
}

/**
 * Judges a command line that runs scripts by the run's changes so far: a changed script is a new command, and the user is asked. Null if no script
 * was changed.
 */
export function judgeScripts(
  plan: CommandPlan,
  { files, unkept }: Pick<RunChanges, 'files' | 'unkept'>,
): CommandJudgement | null {
  const wanted = manifestsOf(plan);
  const isWanted = (path: string): boolean => wanted.some((manifest) => manifest.test(nameOf(path)));
  const changed =
    files.find(({ path, ...change }) => isWanted(path) && mayChangeScripts(nameOf(path), change))?.path ??
    unkept?.scripts.find(isWanted) ??
    (namesPackages(plan) ? unkept?.first.find(({ path }) => packages.test(path))?.path : undefined);
  return changed === undefined
    ? null
    : { decision: 'ask', reason: `This run has changed ${changed}, which says what the command runs.`, rule: null };
}

function nameOf(path: string): string {
  return path.split('/').at(-1)?.toLowerCase() ?? '';
}

function manifestsOf(plan: CommandPlan): readonly RegExp[] {
  const programs = commandsOf(plan).flatMap((words) => programsOf(words));
  return programs.flatMap((program) => (Object.hasOwn(manifests, program) ? (manifests[program] ?? []) : []));
}

/** Their words, without wrappers. */
function commandsOf({ pipelines }: CommandPlan): readonly (readonly CommandWord[])[] {
  return pipelines.flatMap(({ commands }) => commands).map(({ words }) => unwrapCommand(words));
}

/** By any path. */
function programsOf([word, ...others]: readonly CommandWord[]): readonly string[] {
  const program = programOf(word);
  const further = runners.has(program) ? others.map(programOf) : [];
  const runsScript = others.some((other) => other.type === 'literal' && other.text.startsWith('--run'));
  return [program, ...further, ...(runners.has(program) && runsScript ? ['npm'] : [])];
}

/** `npm` for `/usr/lib/npm/bin/npm-cli.js`. */
function programOf(word: CommandWord | undefined): string {
  return word?.type === 'literal' ? nameOf(word.text).replace(/(?:-cli)?\.[cm]?js$/, '') : '';
}

function namesPackages(plan: CommandPlan): boolean {
  const words = commandsOf(plan).flat();
  const texts = words.map((word) => (word.type === 'literal' ? word.text : word.source));
  return [plan.directory ?? '', ...texts].some((text) => packages.test(text));
}

/** Every added line must be known not to run. Removed lines add no script. */
function mayChangeScripts(name: string, { kind, diff }: Pick<FileChange, 'kind' | 'diff'>): boolean {
  if (name !== 'package.json' || kind === 'created' || !diff.includes('@@')) {
    return kind !== 'deleted';
  }
  const [, ...hunks] = diff.split(/^@@ /m);
  return hunks.some((hunk) => {
    const [header = '', ...body] = hunk.split('\n');
    const lines = body.filter((line) => !line.startsWith('-'));
    return lines.some((line, index) => line.startsWith('+') && mayRun(lines, index, header.startsWith('-1,')));
  });
}

/** A script may look like a version, so the section around the line decides. */
function mayRun(lines: readonly string[], index: number, isFirstHunk: boolean): boolean {
  const line = lines[index]?.slice(1) ?? '';
  if (frameLine.test(line)) {
    return false;
  }
  return !(dependencyLine.test(line) && isAmongVersions(lines, index, isFirstHunk));
}

/** Whether a line is in a dependency section or at the top of the file, or between version lines that existed before. */
function isAmongVersions(lines: readonly string[], index: number, isFirstHunk: boolean): boolean {
  let depth = 0;
  for (let at = index - 1; at >= 0; at -= 1) {
    const text = lines[at]?.slice(1).trim() ?? '';
    if (text.endsWith('{') && depth === 0) {
      return text === '{' ? isFirstHunk && at === 0 : frameLine.test(text);
    }
    depth += Number(text.startsWith('}')) - Number(text.endsWith('{'));
  }
  const around = [lines.slice(0, index).findLast(isOld), lines.slice(index + 1).find(isOld)];
  return depth === 0 && around.every((line) => line !== undefined && dependencyLine.test(line.slice(1)));
}

function isOld(line: string): boolean {
  return line.startsWith(' ');
}

import { askedNames, type NamesByReason, protectedNames, shortenedName, toolConfiguration } from './guarded-names.ts';

/** Whether a change to a file is made, needs the user's approval, or is refused. */
export type WriteJudgement =
  | { readonly decision: 'allow' }
  | { readonly decision: 'ask' | 'deny'; readonly reason: string };

export type JudgeWriteOptions = {
  /** Relative to the root above the file, with `/` between its names. */
  readonly path: string;
  /** Whether a path looks like that of a secret. */
  readonly isSensitive: (path: string) => boolean;
};

/** Judges a change to a file by its path alone: the file need not exist. */
export function judgeWrite({ path, isSensitive }: JudgeWriteOptions): WriteJudgement {
  const names = path.split('/').map(plainName);
  const denied = findReason(names, protectedNames);
  if (denied !== null) {
    return { decision: 'deny', reason: denied };
  }
  if (names.some((name) => shortenedName.test(name))) {
    return {
      decision: 'deny',
      reason: 'It is a short name of Windows, which can stand for any of the protected ones.',
    };
  }
  if (isSensitive(path) || isSensitive(names.join('/'))) {
    return { decision: 'deny', reason: 'It looks like a file with keys or passwords.' };
  }
  const isConfiguration = toolConfiguration.test(names.at(-1) ?? '');
  const asked = findReason(names, askedNames) ?? (isConfiguration ? 'The program of that name runs it.' : null);
  return asked === null ? { decision: 'allow' } : { decision: 'ask', reason: asked };
}

function findReason(names: readonly string[], groups: readonly NamesByReason[]): string | null {
  const path = `/${names.join('/')}/`;
  const group = groups.find(
    ({ names: whole, beginnings = [], endings = [], places = [] }) =>
      places.some((place) => path.includes(`/${place}/`)) ||
      names.some(
        (name) =>
          whole.includes(name) ||
          beginnings.some((beginning) => name.startsWith(beginning)) ||
          endings.some((ending) => name.endsWith(ending)),
      ),
  );
  return group?.reason ?? null;
}

/** As a file system resolves it that ignores case, zero-width characters, trailing blanks and dots, or stream names. */
function plainName(name: string): string {
  const [plain = ''] = name.normalize('NFKC').toLowerCase().split(':');
  return plain.replace(/\p{Cf}/gu, '').replace(/[. ]+$/, '');
}

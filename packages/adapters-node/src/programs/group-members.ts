import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isShortage } from '../process/system-shortage.ts';

/** On macOS members of `wheel` and `admin` are administrators; Homebrew gives its directories to `admin`. */
const administratorGroups: ReadonlySet<number> = process.platform === 'darwin' ? new Set([0, 80]) : new Set([0]);

type Accounts = {
  /** Names of users by the id of a group that lists them as members, and the names of groups. */
  readonly groups: ReadonlyMap<number, readonly string[]>;
  /** Names of users by the id of their primary group. */
  readonly primary: ReadonlyMap<number, readonly string[]>;
};

/**
 * Says of groups whether anybody but root and this user is in them. Reads the files of the system once, when it is first asked,
 * and synchronously: a server judges its state directory before it answers the first message.
 */
export class GroupMembers {
  #accounts: Accounts | undefined;

  /**
   * A group that the files of the system do not list (LDAP has others) counts as private only if its id is that of the user,
   * as systems make private groups. Throws where the system has nothing left to look with.
   */
  isPrivate(gid: number): boolean {
    if (administratorGroups.has(gid)) {
      return true;
    }
    this.#accounts ??= readAccounts();
    const { groups, primary } = this.#accounts;
    const members = groups.get(gid);
    if (members === undefined) {
      return gid === process.getuid?.() && gid === process.getgid?.();
    }
    const trusted = ['root', userName()];
    return [...members, ...(primary.get(gid) ?? [])].every((name) => trusted.includes(name));
  }
}

/** Empty where the user has no entry: no member has that name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

function readAccounts(): Accounts {
  const groups = readLines('/etc/group');
  return {
    groups: new Map(groups.map(([, , gid, members = '']) => [Number(gid), members.split(',').filter(Boolean)])),
    primary: collectPrimary(readLines('/etc/passwd')),
  };
}

function collectPrimary(users: readonly (readonly string[])[]): ReadonlyMap<number, readonly string[]> {
  const primary = new Map<number, string[]>();
  for (const [name = '', , , gid] of users) {
    primary.set(Number(gid), [...(primary.get(Number(gid)) ?? []), name]);
  }
  return primary;
}

function readLines(path: string): readonly (readonly string[])[] {
  return readText(path)
    .split('\n')
    .flatMap((line) => (line.includes(':') ? [line.split(':')] : []));
}

/** Empty where the system has no such file. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isShortage(error)) {
      throw error;
    }
    return '';
  }
}

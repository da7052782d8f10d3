import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isShortage } from '../process/system-shortage.ts';

export type GroupMembersOptions = {
  readonly platform?: NodeJS.Platform;
  /** The name that the system has for this user, from wherever; null where it has none. */
  readonly userName?: string | null;
};

type Accounts = {
  /** Names of users by the id of a group that lists them as members, and the names of groups. */
  readonly groups: ReadonlyMap<number, readonly string[]>;
  /** Names of users by the id of their primary group. */
  readonly primary: ReadonlyMap<number, readonly string[]>;
  readonly userNames: ReadonlySet<string>;
};

/**
 * Says of groups whether anybody but root and this user is in them. Reads the files of the system once, when it is first asked,
 * and synchronously: a server judges its state directory before it answers the first message.
 */
export class GroupMembers {
  readonly #platform: NodeJS.Platform;
  readonly #userName: string | null;
  #accounts: Accounts | undefined;

  constructor({ platform = process.platform, userName = ownName() }: GroupMembersOptions = {}) {
    this.#platform = platform;
    this.#userName = userName;
  }

  /**
   * A group that the files of the system do not list counts as private only if its id is that of the user, as systems make
   * private groups. So does any group where the files do not list the users: where a directory service (LDAP, that of macOS)
   * has this user, it has others too, and their groups, such as `staff` and `users`, look empty. Throws where the system has
   * nothing left to look with.
   */
  isPrivate(gid: number): boolean {
    if (administratorGroups(this.#platform).includes(gid)) {
      return true;
    }
    this.#accounts ??= readAccounts();
    const { groups, primary, userNames } = this.#accounts;
    const isListed = this.#platform !== 'darwin' && (this.#userName === null || userNames.has(this.#userName));
    const members = isListed ? groups.get(gid) : undefined;
    if (members === undefined) {
      return gid === process.getuid?.() && gid === process.getgid?.();
    }
    const trusted = ['root', this.#userName];
    return [...members, ...(primary.get(gid) ?? [])].every((name) => trusted.includes(name));
  }
}

/** On macOS members of `wheel` and `admin` are administrators; Homebrew gives its directories to `admin`. */
function administratorGroups(platform: NodeJS.Platform): readonly number[] {
  return platform === 'darwin' ? [0, 80] : [0];
}

function ownName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

function readAccounts(): Accounts {
  const groups = readLines('/etc/group');
  const users = readLines('/etc/passwd');
  return {
    groups: new Map(groups.map(([, , gid, members = '']) => [Number(gid), members.split(',').filter(Boolean)])),
    primary: collectPrimary(users),
    userNames: new Set(users.map(([name = '']) => name)),
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

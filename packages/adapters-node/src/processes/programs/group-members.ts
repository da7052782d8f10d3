import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isShortage } from '../system-shortage.ts';

export type GroupMembersOptions = {
  readonly platform?: NodeJS.Platform;
  /** The system's name for this user, from any source; null if it has no name. */
  readonly userName?: string | null;
};

/** Lines of /etc/group (name, password, id, members) and of /etc/passwd (name, password, user id, id of the first group). */
type Accounts = { readonly groups: readonly (readonly string[])[]; readonly users: readonly (readonly string[])[] };

/**
 * Reports whether a group has members besides root and this user. Reads the system's files once, at the first question, and synchronously:
 * a server judges its state directory before it answers the first message.
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
   * A group that the files do not list is private only if its id is the user's, as in private groups made by the system. So is any group if
   * the files do not list the user: a directory service (LDAP, that of macOS) has other users too, whose groups look empty in the files.
   */
  isPrivate(gid: number): boolean {
    if (administratorGroups(this.#platform).includes(gid)) {
      return true;
    }
    this.#accounts ??= { groups: readLines('/etc/group'), users: readLines('/etc/passwd') };
    const { groups, users } = this.#accounts;
    const isListed = this.#userName === null || users.some(([name]) => name === this.#userName);
    const entries = groups.filter(([, , id]) => id === String(gid));
    if (entries.length === 0 || this.#platform === 'darwin' || !isListed) {
      return gid === process.getuid?.() && gid === process.getgid?.();
    }
    const members = entries.flatMap(([, , , names = '']) => names.split(',').filter((name) => name !== ''));
    const primary = users.filter(([, , , id]) => id === String(gid)).map(([name = '']) => name);
    return [...members, ...primary].every((name) => name === 'root' || name === this.#userName);
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

/** Empty if the system has no such file. */
function readLines(path: string): readonly (readonly string[])[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines.filter((line) => line.includes(':')).map((line) => line.split(':'));
  } catch (error) {
    if (isShortage(error)) {
      throw error;
    }
    return [];
  }
}

import { spawnSync } from 'node:child_process';

/** A user who runs programs of tests. */
export type TestUser = { readonly name: string; readonly id: number };

/** An ordinary user, if this one is root and may run programs as others; null otherwise, or if this Node is in the home of another user. */
export function ordinaryUser(): TestUser | null {
  const ordinary = { name: 'an ordinary user', id: 65_534 };
  return process.getuid?.() === 0 && mayRunNode(ordinary) ? ordinary : null;
}

/** This user, and an ordinary one as well if this one is root. */
export function testUsers(): readonly TestUser[] {
  const id = process.getuid?.() ?? 0;
  const other = ordinaryUser();
  return [{ name: id === 0 ? 'root' : 'this user', id }, ...(other === null ? [] : [other])];
}

function mayRunNode({ id }: TestUser): boolean {
  return spawnSync(process.execPath, ['--version'], { uid: id, gid: id, cwd: '/' }).status === 0;
}

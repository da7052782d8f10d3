import { randomBytes } from 'node:crypto';
import { isAlive, ownIdentity } from '../../processes/process-identity.ts';

/** One version of a record: which, of when, and who wrote it. */
export type RecordVersion = {
  readonly version: number;
  /** When the record was last updated, by its own account. */
  readonly stampMs: number;
  /** Tells this write from all others. */
  readonly tag: string;
};

/** A file that holds, or is going to hold, what a version says. */
export type ContentName = Pick<RecordVersion, 'version' | 'tag'> & { readonly name: string };

/** The head of a record that is being removed for its age: readers that find it find no record. */
export const goneName = 'gone';

const tagPattern = String.raw`(?:\d{1,10}-(?:\d{1,20}|x)-[0-9a-f]{16})`;
const headPattern = new RegExp(String.raw`^head\.(\d{1,15})\.(\d{1,16})\.(${tagPattern})$`);
const contentPattern = new RegExp(String.raw`^(\d{1,15})\.(${tagPattern})\.json$`);
const draftPattern = new RegExp(String.raw`^\.new-(${tagPattern})$`);
const discardedPattern = new RegExp(String.raw`^\.old-${tagPattern}$`);

/** Unlike any other tag, and it says which process made it. */
export function createTag(): string {
  const { pid, startTicks } = ownIdentity();
  return `${pid}-${startTicks ?? 'x'}-${randomBytes(8).toString('hex')}`;
}

/** A hint only: a process in another container looks dead from here. */
export function seemsAlive(tag: string): boolean {
  const [pid, startTicks] = tag.split('-');
  return isAlive({ pid: Number(pid), startTicks: startTicks === undefined || startTicks === 'x' ? null : startTicks });
}

export function headName({ version, stampMs, tag }: RecordVersion): string {
  const digits = Math.min(Math.max(Math.trunc(stampMs), 0), Number.MAX_SAFE_INTEGER);
  return `head.${version}.${digits}.${tag}`;
}

export function contentName({ version, tag }: Pick<RecordVersion, 'version' | 'tag'>): string {
  return `${version}.${tag}.json`;
}

/** A record that is not there yet. */
export function draftName(tag: string): string {
  return `.new-${tag}`;
}

/** What was a record, and is being removed. */
export function discardedName(tag: string): string {
  return `.old-${tag}`;
}

export function parseHeadName(name: string): RecordVersion | null {
  const [, version, stampMs, tag] = headPattern.exec(name) ?? [];
  return tag === undefined ? null : { version: Number(version), stampMs: Number(stampMs), tag };
}

export function parseContentName(name: string): ContentName | null {
  const [, version, tag] = contentPattern.exec(name) ?? [];
  return tag === undefined ? null : { name, version: Number(version), tag };
}

/** The tag of a draft's name, null for any other name. */
export function parseDraftName(name: string): string | null {
  return draftPattern.exec(name)?.[1] ?? null;
}

export function isDiscardedName(name: string): boolean {
  return discardedPattern.test(name);
}

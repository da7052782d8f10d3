import { randomBytes } from 'node:crypto';
import { isAlive, ownIdentity } from '../../processes/process-identity.ts';

/** One version of a record: its number, its time and its writer. */
export type RecordVersion = {
  readonly version: number;
  /** The time of the last update that the record itself claims. */
  readonly stampMs: number;
  /** Unique to this write. */
  readonly tag: string;
};

/** A file that holds, or will hold, the contents of a version. */
export type ContentName = Pick<RecordVersion, 'version' | 'tag'> & { readonly name: string };

/** The head of a record that is being removed for its age: readers treat the record as missing. */
export const goneName = 'gone';

const tagPattern = String.raw`(?:\d{1,10}-(?:\d{1,20}|x)-[0-9a-f]{16})`;
const headPattern = new RegExp(String.raw`^head\.(\d{1,15})\.(\d{1,16})\.(${tagPattern})$`);
const contentPattern = new RegExp(String.raw`^(\d{1,15})\.(${tagPattern})\.json$`);
const draftPattern = new RegExp(String.raw`^\.new-(${tagPattern})$`);
const discardedPattern = new RegExp(String.raw`^\.old-${tagPattern}$`);

/** A unique tag that includes the id of its process. */
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

/** The name of a record that is not published yet. */
export function draftName(tag: string): string {
  return `.new-${tag}`;
}

/** The name of a former record that is being removed. */
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

/** The tag in a draft's name; null for any other name. */
export function parseDraftName(name: string): string | null {
  return draftPattern.exec(name)?.[1] ?? null;
}

export function isDiscardedName(name: string): boolean {
  return discardedPattern.test(name);
}

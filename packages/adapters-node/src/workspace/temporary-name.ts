import { createTag, seemsAlive } from '../disk/durable/record-names.ts';

const prefix = '.gemini-mcp-';
const suffix = '.tmp';

/** A name for a file of ours next to the one whose place it is going to take. It says which process made it. */
export function createTemporaryName(): string {
  return `${prefix}${createTag()}${suffix}`;
}

/** Whether a file of that name was left by a process that is gone. */
export function isLeftTemporaryName(name: string): boolean {
  const tag = name.slice(prefix.length, -suffix.length);
  const isOurs = name.startsWith(prefix) && name.endsWith(suffix) && /^\d{1,10}-(?:\d{1,20}|x)-[0-9a-f]{16}$/.test(tag);
  return isOurs && !seemsAlive(tag);
}

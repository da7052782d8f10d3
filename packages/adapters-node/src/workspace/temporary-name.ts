import { createTag, seemsAlive } from '../disk/durable/record-names.ts';

const prefix = '.gemini-mcp-';
const suffix = '.tmp';

/** A name for a temporary file next to the file that it will replace. It includes the id of the process. */
export function createTemporaryName(): string {
  return `${prefix}${createTag()}${suffix}`;
}

/** Whether a dead process left a file of that name. */
export function isLeftTemporaryName(name: string): boolean {
  const tag = name.slice(prefix.length, -suffix.length);
  const isOurs = name.startsWith(prefix) && name.endsWith(suffix) && /^\d{1,10}-(?:\d{1,20}|x)-[0-9a-f]{16}$/.test(tag);
  return isOurs && !seemsAlive(tag);
}

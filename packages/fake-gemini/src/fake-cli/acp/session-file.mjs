// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseObject } from './json-lines.mjs';

/** @typedef {{ role: 'user' | 'model', text: string }} Turn */

/**
 * The real CLI's directory for the sessions of a working directory.
 *
 * @param {string} cwd
 */
export function chatsDirectory(cwd) {
  const home = process.env['GEMINI_CLI_HOME'] ?? process.env['HOME'] ?? '/';
  const own = join(home, '.gemini');
  return join(own, 'tmp', readSlug(own, cwd), 'chats');
}

/**
 * The turns in the file of a session; null if no file of that name belongs to this session.
 *
 * @type {(directory: string, sessionId: string) => readonly Turn[] | null}
 */
export function readSessionFile(directory, sessionId) {
  const records = listFiles(directory)
    .filter((name) => name.startsWith('session-') && name.endsWith(`-${sessionId.slice(0, 8)}.jsonl`))
    .map((name) => readFileSync(join(directory, name), 'utf8').split('\n').map(parseObject))
    .find(([opening]) => opening?.['sessionId'] === sessionId);
  return records === undefined ? null : collectMessages(records).flatMap(toTurn);
}

/** @type {(own: string, cwd: string) => string} */
function readSlug(own, cwd) {
  const usual = basename(cwd)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  try {
    const { projects } = JSON.parse(readFileSync(join(own, 'projects.json'), 'utf8'));
    return projects[cwd] ?? (usual || 'project');
  } catch {
    return usual || 'project';
  }
}

/** @type {(directory: string) => readonly string[]} */
function listFiles(directory) {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** @type {(records: readonly (Record<string, unknown> | null)[]) => readonly Record<string, unknown>[]} */
function collectMessages(records) {
  /** @type {Map<unknown, Record<string, unknown>>} */
  let messages = new Map();
  for (const record of records) {
    const change = /** @type {{ messages?: Record<string, unknown>[] } | undefined} */ (record?.['$set']);
    if (change?.messages !== undefined) {
      messages = new Map(change.messages.map((message) => [message['id'], message]));
    } else if (record?.['$rewindTo'] !== undefined) {
      // An unknown id reverts everything.
      const index = [...messages.keys()].indexOf(record['$rewindTo']);
      messages = new Map([...messages].slice(0, Math.max(index, 0)));
    } else if (typeof record?.['type'] === 'string') {
      messages.set(record['id'], record);
    }
  }
  return [...messages.values()];
}

/** @type {(message: Record<string, unknown>) => readonly Turn[]} */
function toTurn({ type, content }) {
  const parts = Array.isArray(content) ? content.map((part) => part?.text ?? '') : [content];
  const text = parts.join('');
  const isOpening = text.startsWith('<session_context>');
  if (isOpening || (type !== 'user' && type !== 'gemini')) {
    return [];
  }
  return [{ role: type === 'user' ? 'user' : 'model', text }];
}

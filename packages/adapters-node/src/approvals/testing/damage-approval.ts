import { readFile, truncate, writeFile } from 'node:fs/promises';
import type { RecordDamage } from '@gemini-mcp/port-contracts';

/** Makes the file of an approval unreadable. */
export async function damageApproval(path: string, damage: RecordDamage): Promise<void> {
  const text = await readFile(path, 'utf8');
  switch (damage) {
    case 'truncated':
      return truncate(path, Math.floor(text.length / 2));
    case 'foreign':
      return writeFile(path, '[]');
    case 'later-format':
      return writeFile(path, JSON.stringify({ ...JSON.parse(text), format: 2 }));
  }
}

/** Lets it allow other words. */
export async function editApproval(path: string, prefix: readonly string[]): Promise<void> {
  const record = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...record, allows: { ...record.allows, prefix } }));
}

import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new directory for one test, by its real path. */
export function makeTemporaryDirectory(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'port-contract-')));
}

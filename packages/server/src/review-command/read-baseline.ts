import { readFile } from 'node:fs/promises';
import { fingerprintName } from '@gemini-mcp/core/internal';
import { ConfigurationError } from '../settings/setting.ts';

/**
 * Reads the fingerprints in an earlier result of `review`, as JSON or SARIF, with those of its own baseline. Rejects with a `ConfigurationError` for a
 * file that is missing or is no result: silently, it would repeat every finding.
 */
export async function readBaseline(path: string): Promise<ReadonlySet<string>> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw unusable('the file cannot be read');
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable('the file is not JSON');
  }
  const isResult = Array.isArray(member(value, 'findings')) || Array.isArray(member(value, 'runs'));
  if (!isResult) {
    throw unusable('the file is no result of a review');
  }
  const ofJson = listIn(value, 'findings').map((finding) => member(finding, 'fingerprint'));
  const results = listIn(value, 'runs').flatMap((run) => listIn(run, 'results'));
  const ofSarif = results.map((result) => member(member(result, 'partialFingerprints'), fingerprintName));
  const all = [...ofJson, ...ofSarif, ...listIn(value, 'baseline')];
  return new Set(all.filter((fingerprint) => typeof fingerprint === 'string'));
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = member(value, name);
  return Array.isArray(list) ? list : [];
}

function unusable(why: string): ConfigurationError {
  return new ConfigurationError(`--baseline: ${why}. Make one: gemini-mcp-server review --format json > baseline.json`);
}

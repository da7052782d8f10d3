import type { HttpServerProcess } from './http-server-process.ts';
import { token } from './http-setup.ts';

/** The current value of a metric without labels. */
export async function readMetric({ origin }: HttpServerProcess, name: string, bearer: string = token): Promise<number> {
  const answer = await fetch(`${origin}/metrics`, { headers: { Authorization: `Bearer ${bearer}` } });
  const [, value = 'NaN'] = new RegExp(`^${name} (\\S+)$`, 'm').exec(await answer.text()) ?? [];
  return Number(value);
}

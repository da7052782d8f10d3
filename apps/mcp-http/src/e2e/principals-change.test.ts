import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup } from './http-setup.ts';
import { tokenOf, writePrincipals } from './principals.ts';

let setup: HttpSetup;

beforeEach(async () => {
  setup = await HttpSetup.create();
});
afterEach(() => setup.dispose());

async function statusFor(name: string, { origin }: HttpServerProcess): Promise<number> {
  const headers = { Authorization: `Bearer ${tokenOf(name)}` };
  return (await fetch(`${origin}/api/servers`, { headers })).status;
}

it('lets a principal in, and shuts one out, while it serves', async () => {
  const server = await setup.startFor([{ name: 'alice' }, { name: 'bob' }]);
  expect(await statusFor('bob', server)).toBe(200);
  await writePrincipals(join(setup.root, 'principals.json'), [{ name: 'alice' }, { name: 'carol' }]);
  await expect.poll(() => statusFor('bob', server)).toBe(401);
  expect([await statusFor('alice', server), await statusFor('carol', server)]).toEqual([200, 200]);
});

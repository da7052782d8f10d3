import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { apiError, cut, empty, noFinish, type Reply, text } from '@gemini-mcp/port-contracts/offline-api';
import { describe, expect, it } from 'vitest';
import { useRealCliPlace } from '../testing/real-cli-place.ts';

const given = useRealCliPlace('warm');

const canary = 'CANARY-of-another-call';

const history = [
  { role: 'user', text: `${canary} asked` },
  { role: 'model', text: `${canary} answered` },
] as const;

const picture = { path: 'a.png', mediaType: 'image/png', bytes: new TextEncoder().encode(canary) };

/** Every file of the processes, by its path, but for what Node has compiled of the CLI. */
async function filesOfProcesses(): Promise<readonly string[]> {
  const runs = given.place.at('runs');
  const entries = await readdir(runs, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.filter((path) => !path.startsWith(join(runs, 'compiled') + sep));
}

/** Files with the canary in their name or contents. */
async function traces(): Promise<readonly string[]> {
  const found = await Promise.all(
    (await filesOfProcesses()).map(async (path) => ({ path, whole: path + (await readFile(path, 'utf8')) })),
  );
  const encoded = Buffer.from(canary).toString('base64').slice(0, -4);
  return found.filter(({ whole }) => whole.includes(canary) || whole.includes(encoded)).map(({ path }) => path);
}

describe('on the disk of a process that stays', () => {
  it('nothing is left of a call, however it ends', async () => {
    const replies: readonly Reply[] = [
      text(`${canary} is the answer`),
      apiError({ code: 500, message: canary, status: 'INTERNAL' }),
      empty(),
      noFinish([canary]),
      cut([canary]),
    ];
    for (const reply of replies) {
      given.api.reply(reply);
      await given.place.run({ input: canary });
      await given.place.run({ input: canary, history, media: [picture] });
      expect(await traces()).toEqual([]);
    }
    expect(await readdir(given.place.at('runs'))).toHaveLength(1);
  });

  it('nothing is left of a call that is cancelled while it is answered', async () => {
    const controller = new AbortController();
    let tellAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      tellAsked = resolve;
    });
    given.api.reply(() => {
      tellAsked();
      return text([canary, { text: 'never', after: new Promise(() => undefined) }]);
    });
    const running = given.place.run({ input: canary, history }, controller.signal);
    await asked;
    controller.abort();
    expect((await running).failure).toEqual({ kind: 'cancelled' });
    expect(await traces()).toEqual([]);
  });
});

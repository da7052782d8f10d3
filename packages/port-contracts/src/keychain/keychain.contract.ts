import type { Keychain } from '@gemini-mcp/core/internal';
import { describe, expect } from 'vitest';
import type { Proof } from '../proof.ts';
import { watchStores } from '../stores/watch-stores.ts';

type KeychainHarness = {
  readonly store: Keychain;
  /** The same keychain as another process would see it. */
  readonly reopen: () => Keychain;
  /** Makes reads and writes fail. */
  readonly breakAll: () => Promise<void>;
  readonly dispose: () => Promise<void>;
};

export type KeychainContractOptions = {
  readonly name: string;
  readonly create: () => Promise<KeychainHarness>;
};

const key = 'A-z_09'.repeat(8);

/** The promises of every `Keychain`. */
export function describeKeychainContract({ name, create }: KeychainContractOptions): void {
  describe(`Keychain contract: ${name}`, () => {
    const { proof, hold } = watchStores({ port: 'Keychain', name });
    const open = async (): Promise<KeychainHarness> => hold(await create());
    describeKeeping({ proof, open });
    describeRefusing({ proof, open });
  });
}

type Subject = { readonly proof: Proof; readonly open: () => Promise<KeychainHarness> };

function describeKeeping({ proof, open }: Subject): void {
  proof.promise('a written secret is there whole, also for another process', async () => {
    const { store: keychain, reopen } = await open();
    expect(await keychain.read('one')).toEqual({ type: 'none' });
    expect(await keychain.write('one', key)).toBeNull();
    expect(await keychain.read('one')).toEqual({ type: 'found', secret: key });
    expect(await reopen().read('one')).toEqual({ type: 'found', secret: key });
  });

  proof.promise('the last written secret counts, only under its own name', async () => {
    const { store: keychain, reopen } = await open();
    await keychain.write('one', key);
    await keychain.write('two', 'other');
    expect(await reopen().write('one', 'newer')).toBeNull();
    expect(await keychain.read('one')).toEqual({ type: 'found', secret: 'newer' });
    expect(await keychain.read('two')).toEqual({ type: 'found', secret: 'other' });
    expect(await keychain.read('On')).toEqual({ type: 'none' });
  });

  proof.promise('a removed secret is gone, a second removal succeeds, and the others stay', async () => {
    const { store: keychain, reopen } = await open();
    await keychain.write('one', key);
    await keychain.write('two', 'other');
    expect(await reopen().remove('one')).toBeNull();
    expect(await keychain.read('one')).toEqual({ type: 'none' });
    expect(await keychain.remove('one')).toBeNull();
    expect(await keychain.read('two')).toEqual({ type: 'found', secret: 'other' });
  });
}

function describeRefusing({ proof, open }: Subject): void {
  proof.promise('a failed read returns the reason instead of a missing secret', async () => {
    const { store: keychain, breakAll } = await open();
    await keychain.write('one', key);
    await breakAll();
    const words = expect.stringMatching(/^[A-Z].*\w+ \w+.*\.$/s);
    expect(await keychain.read('one')).toEqual({ type: 'unavailable', reason: words });
    expect(await keychain.write('one', 'newer')).toEqual(words);
    expect(await keychain.remove('one')).toEqual(words);
  });
}

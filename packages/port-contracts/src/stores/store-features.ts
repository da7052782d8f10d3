/** What can happen to a store. Each declared feature is tested, and the harness must provide it. */
export type StoreFeatures = {
  /** Writes can fail, as on a full disk. The harness needs `breakWriting`. */
  readonly failures: boolean;
  /** A record can be damaged. The harness needs `damage`. */
  readonly damage: boolean;
  /** A later version of the store may leave records in its own format. The harness needs `damage`. */
  readonly laterFormats: boolean;
};

/** For a store that supports every feature. */
export const allStoreFeatures: StoreFeatures = { failures: true, damage: true, laterFormats: true };

/** The record has lost its end, has other content, or is in the format of a later version of the store. */
export type RecordDamage = 'truncated' | 'foreign' | 'later-format';

/** The declared ones, each with its feature. */
export function declaredDamages(
  features: StoreFeatures,
): readonly { readonly damage: RecordDamage; readonly feature: keyof StoreFeatures }[] {
  const damages = [
    { damage: 'truncated', feature: 'damage' },
    { damage: 'foreign', feature: 'damage' },
    { damage: 'later-format', feature: 'laterFormats' },
  ] as const;
  return damages.filter(({ feature }) => features[feature]);
}

type Hooks = { readonly breakWriting?: unknown; readonly damage?: unknown };

/** A hook of the harness, which must exist if the feature is declared. */
export function declaredHook<Harness extends Hooks, Name extends keyof Hooks>(
  harness: Harness,
  name: Name,
  feature: keyof StoreFeatures,
): NonNullable<Harness[Name]> {
  const hook = harness[name];
  if (hook === undefined || hook === null) {
    throw new Error(`features.${feature} is declared, and the harness has no ${name}(): add it, or declare false`);
  }
  return hook;
}

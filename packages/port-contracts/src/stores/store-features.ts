/** What can happen to a store: each feature that is declared is tested, and the harness has to bring it about. */
export type StoreFeatures = {
  /** What is written can fail, as on a full disk. The harness needs `breakWriting`. */
  readonly failures: boolean;
  /** A record can be damaged. The harness needs `damage`. */
  readonly damage: boolean;
  /** A later version of the store may leave records in a format of its own. The harness needs `damage`. */
  readonly laterFormats: boolean;
};

/** All that can happen. */
export const allStoreFeatures: StoreFeatures = { failures: true, damage: true, laterFormats: true };

/** The end of the record is lost; it holds something else; a later version of the store wrote it, in a format of its own. */
export type RecordDamage = 'truncated' | 'foreign' | 'later-format';

/** Those that are declared, each with its feature. */
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

/** A hook of the harness, which has to be there where the feature is declared. */
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

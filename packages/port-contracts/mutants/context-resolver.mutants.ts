import { describeContextResolverContract } from '../src/context-resolver/context-resolver.contract.ts';
import { limitMutants } from './context-resolver/resolver-limit-mutants.ts';
import { lineMutants } from './context-resolver/resolver-line-mutants.ts';
import { mediaMutants } from './context-resolver/resolver-media-mutants.ts';
import { createRightResolver, type ResolverMutant } from './context-resolver/resolver-mutant.ts';
import { orderMutants } from './context-resolver/resolver-order-mutants.ts';
import { patternMutants } from './context-resolver/resolver-pattern-mutants.ts';
import { reachMutants } from './context-resolver/resolver-reach-mutants.ts';
import { textMutants } from './context-resolver/resolver-text-mutants.ts';
import { timeMutants } from './context-resolver/resolver-time-mutants.ts';
import { proveMutants } from './prove-mutants.ts';

const mutants: readonly ResolverMutant[] = [
  ...reachMutants,
  ...patternMutants,
  ...orderMutants,
  ...textMutants,
  ...limitMutants,
  ...lineMutants,
  ...mediaMutants,
  ...timeMutants,
];

proveMutants(mutants, (about, mutant) => {
  const createResolver = mutant?.create ?? createRightResolver;
  describeContextResolverContract({
    ...about,
    features: { links: true, caseSensitive: true, ignoreFiles: true },
    create: async (place) => ({
      resolver: createResolver(place),
      workingDirectory: `/${place.directoryName}`,
      dispose: async () => undefined,
    }),
  });
});

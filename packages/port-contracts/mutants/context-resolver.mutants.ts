import { describeContextResolverContract } from '../src/context-resolver/context-resolver.contract.ts';
import { proveMutants } from './prove-mutants.ts';
import { limitMutants } from './resolver-limit-mutants.ts';
import { lineMutants } from './resolver-line-mutants.ts';
import { mediaMutants } from './resolver-media-mutants.ts';
import { createRightResolver, type ResolverMutant } from './resolver-mutant.ts';
import { orderMutants } from './resolver-order-mutants.ts';
import { patternMutants } from './resolver-pattern-mutants.ts';
import { reachMutants } from './resolver-reach-mutants.ts';
import { textMutants } from './resolver-text-mutants.ts';
import { timeMutants } from './resolver-time-mutants.ts';

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

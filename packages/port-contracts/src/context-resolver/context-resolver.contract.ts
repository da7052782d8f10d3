import { afterEach, describe } from 'vitest';
import { Proof } from '../proof.ts';
import {
  type ContextPlace,
  type ContextResolverFeatures,
  type ContextResolverHarness,
  type ContextResolverSubject,
  describePlace,
  placeOf,
  selectionOf,
  withoutEmptyMedia,
} from './context-resolver-harness.ts';
import { describeContextResolverLimits } from './context-resolver-limits.contract.ts';
import { describeContextResolverLines } from './context-resolver-lines.contract.ts';
import { describeContextResolverMedia } from './context-resolver-media.contract.ts';
import { describeContextResolverNames } from './context-resolver-names.contract.ts';
import { describeContextResolverOrder } from './context-resolver-order.contract.ts';
import { describeContextResolverPatterns } from './context-resolver-patterns.contract.ts';
import { describeContextResolverRoots } from './context-resolver-roots.contract.ts';
import { describeContextResolverText } from './context-resolver-text.contract.ts';
import { describeContextResolverTime } from './context-resolver-time.contract.ts';

export type ContextResolverContractOptions = {
  readonly name: string;
  readonly features: ContextResolverFeatures;
  /** Makes the place that a test wants, and a resolver in it. */
  readonly create: (place: ContextPlace) => Promise<ContextResolverHarness>;
  /** As in `ProofOptions`. */
  readonly deadlineMs?: number;
};

const never = new AbortController().signal;

/** The promises of every `ContextResolver`. */
export function describeContextResolverContract(options: ContextResolverContractOptions): void {
  const { name, features, create, deadlineMs } = options;
  describe(`ContextResolver contract: ${name}`, () => {
    const proof = new Proof({ subject: `ContextResolver ${JSON.stringify(name)}`, deadlineMs });
    const harnesses: ContextResolverHarness[] = [];
    const open: ContextResolverSubject['open'] = async (fields) => {
      const place = placeOf(fields);
      proof.note(describePlace(place));
      const harness = await create(place);
      harnesses.push(harness);
      return { ...harness, resolver: proof.watch(harness.resolver) };
    };
    const resolve: ContextResolverSubject['resolve'] = async (tree, fields, signal = never) => {
      const { resolver } = await open({ tree });
      return withoutEmptyMedia(await resolver.resolve(selectionOf(fields), signal));
    };
    afterEach(async () => {
      await Promise.all(harnesses.splice(0).map((harness) => harness.dispose()));
    });

    const subject = { proof, open, resolve, features };
    describeContextResolverOrder(subject);
    describeContextResolverLimits(subject);
    describeContextResolverNames(subject);
    describeContextResolverRoots(subject);
    describeContextResolverPatterns(subject);
    describeContextResolverText(subject);
    describeContextResolverLines(subject);
    describeContextResolverMedia(subject);
    describeContextResolverTime(subject);
  });
}

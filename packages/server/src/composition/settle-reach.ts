import { type Reach, reachOfServer } from '../reach/reach.ts';
import type { Configuration } from '../settings/configuration.ts';

/** The directories of the server are within reach only where it has any. */
export function settleReach(asked: Reach, configuration: Configuration): Reach {
  const { mayReadFiles, roots, allowsYolo } = asked;
  return mayReadFiles && roots === null ? { ...reachOfServer(configuration), allowsYolo } : asked;
}

import { createObservers } from '@gemini-mcp/server';
import { type Composition, composeServer } from './composition-root.ts';
import { createMetrics, type Metrics } from './operation/metrics/create-metrics.ts';
import type { ServiceOptions } from './service-options.ts';
import * as tokens from './tokens.ts';

export type Watched = {
  readonly container: Composition;
  readonly metrics: Metrics;
  /** Lets the metrics ask how many sessions there are. */
  readonly watchSessions: (count: () => number) => void;
};

/** The parts of the server, watched by the log and the metrics. */
export function composeWatched({ configuration, http, environment, access, log }: ServiceOptions): Watched {
  const observers = createObservers(log);
  let countSessions = (): number => 0;
  const container = composeServer({
    configuration,
    environment,
    principalRoots: access.principalRoots,
    hasSeveralOwners: access.hasSeveralOwners,
    privateFiles: [http.tokenFile, http.principalsFile].filter((path) => path !== null),
    onAskEnd: (end) => metrics.onAskEnd(end),
    observers: {
      ...observers,
      onRun: (report) => {
        observers.onRun(report);
        metrics.onRun(report);
      },
      onPool: (report) => {
        observers.onPool(report);
        metrics.onPool(report);
      },
    },
  });
  const metrics = createMetrics({
    clock: container.resolve(tokens.CLOCK),
    modelChain: configuration.modelChain,
    queueLoad: () => container.resolve(tokens.CALL_QUEUE).load,
    sessions: () => countSessions(),
  });
  return {
    container,
    metrics,
    watchSessions: (count) => {
      countSessions = count;
    },
  };
}

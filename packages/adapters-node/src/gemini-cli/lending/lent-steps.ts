import type { ToldEvent } from '../carrier.ts';
import { lentToolPrefix } from './lent-server.ts';

/**
 * What the CLI tells of a run, without the calls of lent tools: the endpoint tells of these, and knows what they came to. A call that the
 * CLI refused itself has not got there, and is told as one that failed.
 */
export function withoutLentSteps(events: readonly ToldEvent[]): readonly ToldEvent[] {
  return events.flatMap((event): readonly ToldEvent[] => {
    if (event.type !== 'tool' || !event.name.startsWith(lentToolPrefix)) {
      return [event];
    }
    const { failure: _, ...failed } = { ...event, name: event.name.slice(lentToolPrefix.length) };
    return event.phase === 'failed' ? [{ type: 'tool', name: failed.name, phase: 'started' }, failed] : [];
  });
}

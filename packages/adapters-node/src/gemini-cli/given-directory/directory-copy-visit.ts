import type { TimeSlices } from '../../files/time-slices.ts';

/**
 * Visits items, also those that a visit adds, and lets the event loop turn between them. Resolves to the first obstacle
 * that a visit names, or to that of time; to null when there was none. Rejects on abort.
 */
export async function visitInSlices<Item>(
  items: Iterable<Item>,
  slices: TimeSlices,
  visit: (item: Item) => string | null,
): Promise<string | null> {
  for (const item of items) {
    if (slices.isUsedUp) {
      await slices.next();
      if (slices.isPastDeadline) {
        return 'takes too long to copy';
      }
    }
    const obstacle = visit(item);
    if (obstacle !== null) {
      return obstacle;
    }
  }
  return null;
}

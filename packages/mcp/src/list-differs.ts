import type { ListName } from './list-name.ts';
import type { LoadedSurface } from './loaded-surface.ts';
import type { SurfaceContext } from './surface-context.ts';

type Entries = (surface: LoadedSurface, context: SurfaceContext) => readonly object[] | Promise<readonly object[]>;

const entriesOf: Readonly<Record<ListName, Entries>> = {
  tools: ({ listedTools }) => listedTools,
  prompts: ({ listedPrompts }) => listedPrompts,
  resources: async ({ shelves }, context) => (await Promise.all(shelves.map((shelf) => shelf.list(context)))).flat(),
  templates: ({ listedTemplates }) => listedTemplates,
};

/**
 * Whether a client would find another list in one surface than in the other. Resources are listed in both at this moment, so
 * that a conversation that was begun meanwhile is no difference. Rejects where a shelf throws.
 */
export async function listDiffers(
  list: ListName,
  [before, now]: readonly [LoadedSurface, LoadedSurface],
  context: SurfaceContext,
): Promise<boolean> {
  if (before === now || (list === 'resources' && isSame(before.shelves, now.shelves, Object.is))) {
    return false;
  }
  const [read, offered] = await Promise.all([entriesOf[list](before, context), entriesOf[list](now, context)]);
  return !isSame(read, offered, isEqual);
}

function isSame(
  some: readonly object[],
  others: readonly object[],
  equals: (one: object, other: object | undefined) => boolean,
): boolean {
  return some.length === others.length && some.every((one, index) => equals(one, others[index]));
}

function isEqual(one: object, other: object | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

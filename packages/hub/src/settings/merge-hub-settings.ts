import type { HubSettings } from './read-hub-settings.ts';

/**
 * The settings of several files as one, the first with the last word: a server of an earlier file is the one of that name. Only what all
 * files allow is allowed, and what one excludes is excluded.
 */
export function mergeHubSettings(all: readonly HubSettings[]): HubSettings {
  const lists = all.map(({ allowed }) => allowed).filter((list) => list !== null);
  const [first, ...others] = lists;
  return {
    servers: new Map(all.toReversed().flatMap(({ servers }) => [...servers])),
    allowed: first === undefined ? null : first.filter((name) => others.every((list) => list.includes(name))),
    excluded: [...new Set(all.flatMap(({ excluded }) => excluded))],
    variables: [...new Set(all.flatMap(({ variables }) => variables))],
    problems: all.flatMap(({ problems }) => problems),
  };
}

/** Whether a server may be used: by the lists, which know names alone, and by its own word. */
export function isServerOn({ servers, allowed, excluded }: HubSettings, name: string): boolean {
  const isAllowed = allowed === null || allowed.includes(name);
  return isAllowed && !excluded.includes(name) && servers.get(name)?.isEnabled === true;
}

export type Moment = { readonly came: Promise<void>; readonly come: () => void };

/** A promise that resolves when `come` is called. */
export function createMoment(): Moment {
  let come = (): void => undefined;
  const came = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { came, come };
}

export type Moment = { readonly came: Promise<void>; readonly come: () => void };

/** Something to wait for, until `come` is called. */
export function createMoment(): Moment {
  let come = (): void => undefined;
  const came = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { came, come };
}

import type { Environment } from './child-environment.ts';

/** The variables that settings of clients and manifests of channels fill in. */
const filledNames = /^(?:GEMINI|GOOGLE)_/i;

/**
 * The references of clients and channels: `${user_config.api_key}`, `${input:key}`, `${{ secrets.KEY }}`, `$KEY`, `{env:KEY}`,
 * `%KEY%`, and the `<KEY>` of our own settings to fill in.
 */
const reference = /^\s*(?:\$\{[^{}]*\}|\$\{\{[^{}]*\}\}|\$\w+|\{\w+:[^{}]*\}|%\w+%|<[^<>]*>)\s*$/;

/** Whether a value is nothing but a reference that a client or channel left as it was. */
export function isUnfilled(value: string | undefined): boolean {
  return reference.test(value ?? '');
}

/** The names of settings and logins whose value is an unfilled reference. They count as not set. */
export function findUnfilledVariables(environment: Environment): readonly string[] {
  return Object.keys(environment).filter((name) => filledNames.test(name) && isUnfilled(environment[name]));
}

/** The environment without unfilled variables. */
export function withoutUnfilledVariables(environment: Environment): Environment {
  const unfilled = new Set(findUnfilledVariables(environment));
  return unfilled.size === 0
    ? environment
    : Object.fromEntries(Object.entries(environment).filter(([name]) => !unfilled.has(name)));
}

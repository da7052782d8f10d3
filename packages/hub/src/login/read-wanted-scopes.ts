import { soundScopes } from './sound-scopes.ts';

const maxScopes = 20;

/** The rights that a server misses in a login; null where it misses none. Words that can be no scope are left out. */
export function readWantedScopes(challenge: string): readonly string[] | null {
  const said = challenge.slice(0, 2_000);
  if (!/^bearer\b/i.test(said) || !/\berror="?insufficient_scope\b/.test(said)) {
    return null;
  }
  const [, scope = ''] = /\bscope="([^"]*)"/.exec(said) ?? [];
  return soundScopes(scope.split(' ')).slice(0, maxScopes);
}

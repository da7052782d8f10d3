import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HeldSession, SessionTable } from './bound-sessions.ts';

const arbitraryTable = fc
  .array(fc.record({ binding: fc.constantFrom('a', 'b', 'c'), idleSinceMs: fc.option(fc.nat(9)) }), { maxLength: 12 })
  .map((held) => held.map((session, index) => createHeld({ ...session, id: String(index) })));

function createHeld(session: Pick<HeldSession, 'id' | 'binding' | 'idleSinceMs'>): HeldSession {
  return { ...session, close: async () => undefined };
}

function tableOf(sessions: readonly HeldSession[], maxSessions = 100): SessionTable<HeldSession> {
  const table = new SessionTable<HeldSession>({ maxSessions });
  for (const session of sessions) {
    table.add(session);
  }
  return table;
}

describe('SessionTable', () => {
  it('finds a session by its id and its binding together', () => {
    const session = createHeld({ id: 'x', binding: 'a', idleSinceMs: 0 });
    const table = tableOf([session]);
    expect([table.find('x', 'a'), table.find('x', 'b'), table.find('y', 'a')]).toEqual([session, null, null]);
    table.forget(session);
    expect([table.find('x', 'a'), table.size]).toEqual([null, 0]);
  });

  it('makes room by closing an idle session, and has no room if all are in use', () => {
    const closed: string[] = [];
    const idleOrNot = [null, 5, 3].map((idleSinceMs, index) => {
      const id = String(index);
      return { ...createHeld({ id, binding: 'a', idleSinceMs }), close: async () => void closed.push(id) };
    });
    expect([tableOf(idleOrNot, 4).makeRoom('a'), closed]).toEqual([true, []]);
    expect([tableOf(idleOrNot, 3).makeRoom('a'), closed]).toEqual([true, ['2']]);
    expect([tableOf(idleOrNot.slice(0, 1), 1).makeRoom('a'), closed]).toEqual([false, ['2']]);
  });

  it('holds none dispensable that is in use, or whose binding holds fewer than the newcomer has then', () => {
    void fc.assert(
      fc.property(arbitraryTable, fc.constantFrom('a', 'b', 'c', 'd'), (sessions, newcomer) => {
        const countOf = (binding: string): number =>
          sessions.filter((session) => session.binding === binding).length + (binding === newcomer ? 1 : 0);
        const mayGo = sessions.filter(
          ({ binding, idleSinceMs }) => idleSinceMs !== null && countOf(binding) >= countOf(newcomer),
        );
        const chosen = tableOf(sessions).findDispensable(newcomer);
        if (chosen === null) {
          expect(mayGo).toEqual([]);
          return;
        }
        expect(mayGo).toContain(chosen);
        expect(countOf(chosen.binding)).toBe(Math.max(...mayGo.map(({ binding }) => countOf(binding))));
        const rivals = mayGo.filter(({ binding }) => countOf(binding) === countOf(chosen.binding));
        expect(chosen.idleSinceMs).toBe(Math.min(...rivals.map(({ idleSinceMs }) => idleSinceMs ?? 0)));
      }),
    );
  });
});

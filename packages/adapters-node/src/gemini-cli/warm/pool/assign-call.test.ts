import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignCall, findRoom, isOpen, isUsedUp, isWorn, type ProcessState } from './assign-call.ts';

const limits = { maxProcesses: 3, maxRunsPerProcess: 2, maxSessions: 10, maxRssBytes: 1_000, hardFactor: 2 };

function processWith(state: Partial<ProcessState> = {}): ProcessState {
  return {
    key: 'a',
    phase: 'ready',
    running: 0,
    awaited: 0,
    calls: 1,
    sessions: 1,
    rssBytes: 100,
    lastUsedAtMs: 0,
    owners: new Set(['ann']),
    ...state,
  };
}

const idle = processWith();
const busy = processWith({ running: 1 });
const full = processWith({ running: 2 });
const worn = processWith({ sessions: 10 });
const heavy = processWith({ rssBytes: 1_000 });
const usedUp = processWith({ sessions: 20 });
const starting = processWith({ phase: 'starting', calls: 0 });
const crowded = processWith({ phase: 'starting', calls: 0, awaited: 2 });
const leaving = processWith({ phase: 'leaving' });
const leavingBusy = processWith({ phase: 'leaving', running: 1 });
const other = processWith({ key: 'b', lastUsedAtMs: 2 });
const olderOther = processWith({ key: 'b', lastUsedAtMs: 1 });
const busyOther = processWith({ key: 'b', running: 1 });
const startingOther = processWith({ key: 'b', phase: 'starting', calls: 0 });

describe('assignCall', () => {
  const cases: readonly [string, readonly ProcessState[], ReturnType<typeof assignCall>][] = [
    ['starts the first', [], { type: 'start' }],
    ['uses the one with the least to do', [busy, idle], { type: 'use', process: idle }],
    ['takes one with less to do over one that is worn', [worn, busy], { type: 'use', process: busy }],
    ['takes one that holds too much last', [heavy, busy], { type: 'use', process: busy }],
    ['takes a worn one rather than wait', [worn, starting], { type: 'use', process: worn }],
    ['never takes one that is used up', [usedUp], { type: 'start' }],
    ['never takes one that is leaving', [leaving], { type: 'start' }],
    ['starts another next to one that is full', [full], { type: 'start' }],
    ['waits for one that starts', [starting], { type: 'wait', process: starting }],
    ['waits for the only one that starts, however many do', [crowded], { type: 'wait', process: crowded }],
    ['starts several at once if the kind is known to start', [full, crowded], { type: 'start' }],
    ['waits where fewer wait', [full, crowded, starting], { type: 'wait', process: starting }],
    ['leaves other kinds alone', [other], { type: 'start' }],
    ['starts while other kinds start', [startingOther], { type: 'start' }],
    [
      'ends the idle one that was used last the longest ago',
      [other, olderOther, full],
      {
        type: 'replace',
        process: olderOther,
      },
    ],
    ['waits for one that leaves', [other, leaving, full], { type: 'wait', process: null }],
    [
      'ends an idle one while the leaving one has work',
      [other, leavingBusy, full],
      {
        type: 'replace',
        process: other,
      },
    ],
    ['waits where all are busy', [busyOther, busyOther, busyOther], { type: 'wait', process: null }],
    [
      'ends none that somebody has waited for',
      [processWith({ key: 'b', awaited: 1 }), full, full],
      {
        type: 'wait',
        process: null,
      },
    ],
    ['ends none that starts', [startingOther, busyOther, busyOther], { type: 'wait', process: null }],
  ];
  it.each(cases)('%s', (_, processes, assignment) => {
    expect(assignCall({ key: 'a', owner: 'ann' }, processes, limits)).toEqual(assignment);
  });
});

const anyProcess: fc.Arbitrary<ProcessState> = fc.record({
  key: fc.constantFrom('a', 'b'),
  phase: fc.constantFrom('starting', 'ready', 'leaving'),
  running: fc.nat(3),
  awaited: fc.nat(3),
  calls: fc.nat(2),
  sessions: fc.nat(25),
  rssBytes: fc.nat(2_500),
  lastUsedAtMs: fc.nat(5),
  owners: fc.uniqueArray(fc.constantFrom('ann', 'bob', 'eve'), { maxLength: 2 }).map((names) => new Set(names)),
});

const limitsOfFour = { ...limits, maxProcesses: 4 };
const usedBy = (owners: readonly string[], state: Partial<ProcessState> = {}): ProcessState =>
  processWith({ key: owners.join(), owners: new Set(owners), ...state });

describe('findRoom shares processes out among owners', () => {
  const old = { lastUsedAtMs: 0 };
  const recent = { lastUsedAtMs: 9 };
  const running = { running: 1 };
  const cases: readonly [string, string, readonly ProcessState[], number | null][] = [
    [
      'SHARE-02: ends its own of an owner that has its share, not an older one',
      'eve',
      [
        usedBy(['bob'], old),
        usedBy(['ann', 'eve'], old),
        usedBy(['eve'], recent),
        usedBy(['eve'], { lastUsedAtMs: 8 }),
      ],
      3,
    ],
    [
      'SHARE-02: lets an owner that has its share wait for its own',
      'eve',
      [usedBy(['bob'], old), usedBy(['ann'], old), usedBy(['eve'], running), usedBy(['eve'], running)],
      null,
    ],
    [
      'ends its own of an owner below its share first',
      'eve',
      [usedBy(['bob'], old), usedBy(['ann'], old), usedBy(['dan'], old), usedBy(['eve'], recent)],
      3,
    ],
    [
      'makes room for a newcomer at the cost of who has the most',
      'bob',
      [usedBy(['ann'], old), usedBy(['eve'], recent), usedBy(['eve'], running), usedBy(['dan'], old)],
      1,
    ],
    [
      'ends what several use last',
      'bob',
      [usedBy(['ann', 'eve'], old), usedBy([], old), usedBy(['eve'], recent), usedBy(['eve'], running)],
      2,
    ],
    [
      'ends what several use where all others are busy',
      'bob',
      [usedBy(['ann', 'eve'], old), usedBy(['dan'], running), usedBy(['eve'], running), usedBy(['eve'], running)],
      0,
    ],
    [
      'lets an owner that is alone have all of them',
      'eve',
      [usedBy(['eve'], running), usedBy(['eve'], recent), usedBy(['eve'], old), usedBy(['eve'], running)],
      2,
    ],
  ];
  it.each(cases)('%s', (_, owner, processes, ended) => {
    const assignment = findRoom(owner, processes, limitsOfFour);
    expect(assignment).toEqual(
      ended === null ? { type: 'wait', process: null } : { type: 'replace', process: processes[ended] },
    );
  });

  it('SHARE-02: lets no owner with its share end a process of another', () => {
    const processes = fc.array(anyProcess, { minLength: 3, maxLength: 3 });
    return fc.assert(
      fc.property(processes, (all) => {
        const assignment = findRoom('eve', all, limits);
        const own = all.filter(({ owners }) => owners.size === 1 && owners.has('eve'));
        if (assignment.type === 'replace' && own.length >= 2) {
          expect([...assignment.process.owners]).toEqual(['eve']);
        }
      }),
    );
  });
});

describe('isWorn', () => {
  it('never counts a process without calls as worn, however much it holds', () => {
    const fresh = processWith({ calls: 0, rssBytes: 10_000, sessions: 100 });
    expect([isWorn(fresh, limits), isUsedUp(fresh, limits), isOpen(fresh, limits)]).toEqual([false, false, true]);
  });
});

describe('any assignment', () => {
  it('keeps to the limits', () => {
    return fc.assert(
      fc.property(fc.array(anyProcess, { maxLength: 4 }), (processes) => {
        const assignment = assignCall({ key: 'a', owner: 'ann' }, processes, limits);
        switch (assignment.type) {
          case 'use':
            expect(assignment.process.key).toBe('a');
            expect(isOpen(assignment.process, limits)).toBe(true);
            break;
          case 'start':
            expect(processes.length).toBeLessThan(limits.maxProcesses);
            break;
          case 'replace':
            expect(assignment.process).toMatchObject({ phase: 'ready', running: 0 });
            break;
          case 'wait':
            expect(processes).not.toEqual([]);
            expect(assignment.process?.phase ?? 'starting').toBe('starting');
        }
      }),
    );
  });

  it('ends a process only if no other is leaving', () => {
    return fc.assert(
      fc.property(fc.array(anyProcess, { minLength: limits.maxProcesses, maxLength: 4 }), (processes) => {
        const isIdle = ({ running, awaited }: ProcessState): boolean => running === 0 && awaited === 0;
        const mayBeEnded = processes.some((process) => process.phase === 'ready' && isIdle(process));
        const isOneLeaving = processes.some((process) => process.phase === 'leaving' && isIdle(process));
        const assignment = findRoom('dan', processes, limits);
        expect(assignment.type).toBe(mayBeEnded && !isOneLeaving ? 'replace' : 'wait');
      }),
    );
  });

  it('never skips a usable process', () => {
    return fc.assert(
      fc.property(fc.array(anyProcess, { maxLength: 4 }), (processes) => {
        const isThereOne = processes.some((process) => process.key === 'a' && isOpen(process, limits));
        expect(assignCall({ key: 'a', owner: 'ann' }, processes, limits).type === 'use').toBe(isThereOne);
      }),
    );
  });
});

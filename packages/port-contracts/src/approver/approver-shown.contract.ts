import type { ApprovalQuestion, ApprovalSubject, CommandPlan } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { expect } from 'vitest';
import { type ApproverSubject, questionAbout } from './approver-harness.ts';

type TextOf = (question: (clock: FakeClock) => ApprovalQuestion) => Promise<string>;

/** All but line ends. */
const controls = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** How a question is shown. */
export function describeWhatIsShown(subject: ApproverSubject): void {
  const textOf: TextOf = async (question) => {
    const { approver, shown, clock, abort } = await subject.open({ type: 'dismisses' });
    await approver.ask(question(clock), abort.signal);
    return shown().join('\n');
  };
  describeShownWords(subject, textOf);
  describeShownPlans(subject, textOf);
  describeShownChanges(subject, textOf);
  describeShownTools(subject, textOf);
}

function about(subject: ApprovalSubject): (clock: FakeClock) => ApprovalQuestion {
  return (clock) => questionAbout(['npm'], clock, { subject, kind: null, lasting: null });
}

function describeShownWords({ proof, open }: ApproverSubject, textOf: TextOf): void {
  proof.promise('every word, the directory and the network of a command are shown', async () => {
    const words = ['npm', 'install', 'left pad', '--prefix=/x'];
    const text = await textOf((clock) => questionAbout(words, clock));
    for (const part of [...words, '/home/user/project', 'No rule covers this command.']) {
      expect(text).toContain(part);
    }
    const { subject } = questionAbout(words, new FakeClock());
    const online = subject.type === 'command' ? { ...subject, network: true } : subject;
    expect(await textOf((clock) => questionAbout(words, clock, { subject: online }))).not.toBe(text);
  });

  proof.promise('words that are joined or split differently look different', async () => {
    const one = await textOf((clock) => questionAbout(['npm', 'a b'], clock, { handle: 'same' }));
    expect(await textOf((clock) => questionAbout(['npm', 'a', 'b'], clock, { handle: 'same' }))).not.toBe(one);
  });

  proof.promise('control characters and marks that reverse text are visible', async () => {
    const text = await textOf((clock) => questionAbout(['npm', '\u001b[2Jx', 'a\u202eb', 'c\nNetwork: none'], clock));
    expect(text).not.toMatch(controls);
    expect(text).toContain('001b');
    expect(text.split('\n')).not.toContain('Network: none');
  });

  proof.promise('a command that is too long to show is refused, or the question names the missing part', async () => {
    const { approver, shown, clock, abort } = await open({ type: 'chooses', answer: 'once' });
    const words = Array.from({ length: 2_000 }, (_, index) => `word-${index}`);
    const { type } = await approver.ask(questionAbout(['npm', ...words, 'the-end'], clock), abort.signal);
    const text = shown().join('\n');
    expect(type === 'cannot-ask' ? 'not asked' : text).toMatch(/^not asked$|the-end|not shown/);
  });
}

/** A plan that uses every feature of plans. */
function planOf(
  when: CommandPlan['pipelines'][number]['when'],
): Extract<ApprovalSubject, { readonly type: 'command' }> {
  const word = (text: string) => ({ type: 'literal', text }) as const;
  const any = { type: 'pattern', source: '*.txt', pieces: [{ type: 'any' }, word('.txt')] } as const;
  const reading = {
    assignments: [{ name: 'MODE', value: 'fast' }],
    words: [word('cat'), any],
    redirections: [{ type: 'from-file', path: 'in.md' }],
  } as const;
  const writing = {
    assignments: [],
    words: [word('rm'), word('build')],
    redirections: [{ type: 'to-file', streams: 'output', path: 'out.md', appends: true }],
  } as const;
  const counting = { assignments: [], words: [word('wc')], redirections: [] } as const;
  const plan: CommandPlan = {
    directory: null,
    pipelines: [
      { when: 'always', commands: [reading, counting] },
      { when, commands: [writing] },
    ],
  };
  return { type: 'command', plan, directory: '/home/user/project', network: false };
}

function describeShownPlans({ proof }: ApproverSubject, textOf: TextOf): void {
  for (const part of ['MODE', 'fast', 'cat', '*.txt', 'in.md', 'wc', 'rm', 'build', 'out.md']) {
    proof.promise(`all of a command line is shown: ${part}`, async () => {
      expect(await textOf(about(planOf('after-success')))).toContain(part);
    });
  }

  proof.promise('commands with other conditions look different', async () => {
    const texts = new Set<string>();
    for (const when of ['always', 'after-success', 'after-failure'] as const) {
      texts.add(await textOf(about(planOf(when))));
    }
    expect(texts.size).toBe(3);
  });
}

function describeShownChanges({ proof, open }: ApproverSubject, textOf: TextOf): void {
  proof.promise('a change that is too long to show whole is not asked about', async () => {
    const { approver, shown, clock, abort } = await open({ type: 'chooses', answer: 'once' });
    const diff = Array.from({ length: 5_000 }, (_, index) => `+line ${index}`).join('\n');
    const subject = { type: 'change', path: 'package.json', diff } as const;
    const { type } = await approver.ask(
      questionAbout(['npm'], clock, { subject, kind: null, lasting: null }),
      abort.signal,
    );
    expect({ type, shown: shown() }).toEqual({ type: 'cannot-ask', shown: [] });
  });

  proof.promise('the file that a command writes is shown with the whole command', async () => {
    const text = await textOf(about({ ...planOf('always'), writes: 'sub/Makefile' }));
    for (const part of ['sub/Makefile', 'in.md', 'build']) {
      expect(text).toContain(part);
    }
  });

  proof.promise('a change is shown with its file and its old and new lines', async () => {
    const diff = '@@ -1,2 +1,2 @@\n-the old line\n+the new line\n kept\n';
    const text = await textOf(about({ type: 'change', path: 'src/a file.ts', diff }));
    for (const part of ['src/a file.ts', '-the old line', '+the new line']) {
      expect(text).toContain(part);
    }
  });

  proof.promise('a diff neither controls a terminal nor looks like text of the question', async () => {
    const diff = '+a\u001b[2Jb\n+\u202ec\nNetwork: none\n(9 unchanged lines around them not shown)\n';
    const text = await textOf(about({ type: 'change', path: 'a\u001b[2J.ts', diff }));
    expect(text).not.toMatch(controls);
    expect(text).toContain('001b');
    expect(text).not.toMatch(/^(?:Network|\(9 unchanged)/m);
  });
}

const call = { type: 'tool', digest: '0'.repeat(64), warnings: ['Its name looks like removeFile.'] } as const;

function describeShownTools({ proof }: ApproverSubject, textOf: TextOf): void {
  const args = { from: '/a b', target: '/c', overwrite: true, deep: { count: 17 } };
  for (const part of ['files-of-bob', 'move_file', 'from', '/a b', 'target', '/c', 'overwrite', 'true', '17']) {
    proof.promise(`the server, the name and the arguments of a tool are shown: ${part}`, async () => {
      const text = await textOf(about({ ...call, server: 'files-of-bob', tool: 'move_file', arguments: args }));
      expect(text).toContain(part);
    });
  }

  proof.promise('the warnings about a tool are shown', async () => {
    const text = await textOf(about({ ...call, server: 'files', tool: 'remove_file', arguments: {} }));
    expect(text).toContain('Its name looks like removeFile.');
  });

  proof.promise('names and arguments of tools do not control a terminal', async () => {
    const hostile = '\u001b[2Ja\u202eb\nNetwork: none';
    const subject = { ...call, server: hostile, tool: hostile, arguments: { [hostile]: hostile }, warnings: [hostile] };
    const text = await textOf(about(subject));
    expect(text).not.toMatch(controls);
    expect(text).toContain('001b');
    expect(text).not.toMatch(/^Network/m);
  });
}

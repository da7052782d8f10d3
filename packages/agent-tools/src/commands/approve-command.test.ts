import {
  type Approval,
  ApprovalPrompts,
  type ApprovalPromptsOptions,
  type ApprovalRecord,
  type PresentedApproval,
  presentApproval,
  type StepToApprove,
  shippedCommandRules,
} from '@gemini-mcp/core/internal';
import { approvalsInMemory, FakeClock, ScriptedApprover } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import { parseCommand } from './parse-command.ts';

type Asked = {
  readonly approval: Approval;
  readonly shown: readonly (PresentedApproval | null)[];
  readonly records: readonly ApprovalRecord[];
};

function stepOf(line: string): StepToApprove {
  const reading = parseCommand(line);
  if (!reading.ok) {
    throw new Error(reading.refusal.reason);
  }
  return { type: 'command', plan: reading.plan, reason: 'No rule covers this command.', timeMs: 1_000 };
}

async function askAbout(line: string): Promise<Asked> {
  const clock = new FakeClock();
  const approver = new ScriptedApprover({ clock, answer: () => ({ type: 'answered', answer: 'once' }) });
  const options: ApprovalPromptsOptions = {
    approver,
    store: approvalsInMemory(),
    clock,
    rules: shippedCommandRules,
    directory: '/home/user/project',
    network: false,
    offersLasting: true,
    deadlineAtMs: clock.now() + 60_000,
  };
  const desk = new ApprovalPrompts(options);
  const approval = await desk.ask(stepOf(line), new AbortController().signal);
  return { approval, shown: approver.questions.map(presentApproval), records: desk.records };
}

describe('a command line that needs approval', () => {
  it('is shown with every program, the directory, the network, and the meaning of each answer', async () => {
    const { shown, records } = await askAbout("npm install 'left pad' && git add src/*.ts 2>&1 | tee out.txt");
    expect(shown).toEqual([
      {
        message: [
          "| npm install 'left pad'",
          'and 1 more line below, in /home/user/project, without the network, inside the sandbox',
          'Why you are asked: No rule covers this command.',
          'Gemini asks to run this command. Quoted words are literal text.',
          '| && git add src/*.ts 2>&1 | tee out.txt',
          '"Allow this kind until the run ends": npm install … and git add …',
        ].join('\n'),
        choices: [
          { answer: 'once', label: 'Allow it this once' },
          { answer: 'run', label: 'Allow this kind until the run ends' },
          { answer: 'no', label: 'No' },
        ],
      },
    ]);
    expect(records).toMatchObject([
      { about: "npm install 'left pad' && git add src/*.ts 2>&1 | tee out.txt", result: 'once' },
    ]);
  });

  it('offers to allow one kind of command for good', async () => {
    const { shown } = await askAbout('npm install x');
    expect(shown[0]?.choices[2]).toEqual({ answer: 'always', label: 'Allow this kind from now on' });
    expect(shown[0]?.message.split('\n').at(-1)).toBe(
      '"Allow this kind from now on": npm install … in /home/user/project, without the network',
    );
  });

  it('is decided by its first two lines, and by labels that no client cuts', async () => {
    const { shown } = await askAbout(`npm install ${'left-pad-'.repeat(12)}`);
    const [command, where] = shown[0]?.message.split('\n') ?? [];
    expect(command).toMatch(/^\| npm install left-pad-/);
    expect(where).toBe('in /home/user/project, without the network, inside the sandbox');
    expect(shown[0]?.choices.filter(({ label }) => label.length > 40)).toEqual([]);
  });

  it.each([
    ['cd packages/a && npm install x', 'in /home/user/project/packages/a, '],
    ['cd ../other && npm install x', 'in /home/user/project/../other, '],
  ])('SHELL: names the directory of the command: %s', async (line, expected) => {
    const { shown } = await askAbout(line);
    expect(shown[0]?.message).toContain(expected);
    expect(shown[0]?.choices.map(({ answer }) => answer)).toEqual(['once', 'run', 'no']);
  });

  it.each([
    ["npm install 'x\nDirectory: /tmp\nNetwork: none'", '| npm install "x\\nDirectory: /tmp\\nNetwork: none"'],
    ["npm install '&& true'", "| npm install '&& true'"],
    ["npm install '| Words in quotation marks are ours'", "| npm install '| Words in quotation marks are ours'"],
  ])('cannot show itself as something else: %j', async (line, expected) => {
    const { shown } = await askAbout(line);
    const lines = shown[0]?.message.split('\n') ?? [];
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe(expected);
  });
});

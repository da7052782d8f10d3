import type { ApprovalQuestion } from '@gemini-mcp/core';
import { type ApproverMutant, asking } from './approver-mutant.ts';

function without(part: RegExp): (question: ApprovalQuestion, right: string) => string {
  return (_, right) => right.replace(part, '');
}

const commandMutants: readonly ApproverMutant[] = [
  { name: 'hides-directory', wrong: 'does not show where a command runs', show: without(/\bin \/\S+/g) },
  { name: 'hides-reason', wrong: 'does not say why it asks', show: without(/^Why you are asked: .*$/gm) },
  { name: 'hides-variables', wrong: 'does not show the variables of a program', show: without(/\b[A-Z]+=\S+ /g) },
  { name: 'hides-input', wrong: 'does not show which file a command reads', show: without(/ < \S+/g) },
  { name: 'hides-output', wrong: 'does not show which file a command writes', show: without(/ >> \S+/g) },
  { name: 'hides-patterns', wrong: 'does not show patterns for names', show: without(/ \*\S*/g) },
  { name: 'first-of-a-pipe', wrong: 'shows only the first program of a pipeline', show: without(/ \| .*$/gm) },
  {
    name: 'first-command-alone',
    wrong: 'shows only the first command of a line',
    show: without(/^\| (?:;|&&|\|\|) .*$/gm),
  },
  {
    name: 'hides-when',
    wrong: 'shows no difference between commands that run after a success, after a failure and always',
    show: (_, right) => right.replace(/^\| (?:&&|\|\|) /gm, '| ; '),
  },
  {
    name: 'asks-about-the-beginning',
    wrong: 'asks about the first words of a long command',
    change: asking((question) => {
      const { subject } = question;
      if (subject.type !== 'command') {
        return question;
      }
      const [{ when, commands }] = subject.plan.pipelines;
      const [program, ...others] = commands[0].words;
      if (others.length < 50) {
        return question;
      }
      const command = { ...commands[0], words: [program, ...others.slice(0, 50)] as const };
      const plan = { ...subject.plan, pipelines: [{ when, commands: [command] }] } as const;
      return { ...question, subject: { ...subject, plan } };
    }),
  },
];

const changeMutants: readonly ApproverMutant[] = [
  {
    name: 'asks-about-the-beginning-of-a-diff',
    wrong: 'asks about the first lines of a long change',
    change: asking((question) => {
      const { subject } = question;
      if (subject.type !== 'change') {
        return question;
      }
      const diff = subject.diff.split('\n').slice(0, 50).join('\n');
      return { ...question, subject: { ...subject, diff } };
    }),
  },
  {
    name: 'hides-written-file',
    wrong: 'does not show which file a command writes',
    show: without(/^File that it writes.*$/gm),
  },
  { name: 'hides-what-goes', wrong: 'does not show the lines that a change takes away', show: without(/^\| -.*$/gm) },
  { name: 'hides-what-comes', wrong: 'does not show the lines that a change adds', show: without(/^\| \+.*$/gm) },
  {
    name: 'shows-controls-of-diffs',
    wrong: 'shows a diff with the control characters that are in it',
    show: ({ subject }, right) => (subject.type === 'change' ? `${right}\n${subject.diff.slice(0, 200)}` : right),
  },
  {
    name: 'marks-no-lines',
    wrong: 'shows the lines of a diff as if they were its own words',
    show: ({ subject }, right) => (subject.type === 'change' ? right.replace(/^\| /gm, '') : right),
  },
];

const toolMutants: readonly ApproverMutant[] = [
  {
    name: 'hides-server',
    wrong: 'does not show which server a tool belongs to',
    show: without(/ of the server \S+$/gm),
  },
  {
    name: 'hides-tool',
    wrong: 'does not show which tool is called',
    show: (_, right) => right.replace(/the tool \S+ of/, 'a tool of'),
  },
  { name: 'hides-arguments', wrong: 'does not show the arguments of a tool', show: without(/^\| \{.*$/gm) },
  {
    name: 'hides-inner-arguments',
    wrong: 'shows objects in arguments as dots',
    show: (_, right) => right.replace(/:\{[^}]*\}/g, ':…'),
  },
  {
    name: 'hides-flags',
    wrong: 'does not show arguments that are true or false',
    show: without(/"\w+":(?:true|false),?/g),
  },
  {
    name: 'hides-warnings',
    wrong: 'does not show the warnings about a tool',
    show: without(/^Look out: .*$/gm),
  },
  {
    name: 'shows-controls-of-tools',
    wrong: 'shows the name of a tool with the control characters that are in it',
    show: ({ subject }, right) => (subject.type === 'tool' ? `${subject.tool}\n${right}` : right),
  },
];

/** Mutants that leave something out of a question. */
export const shownMutants: readonly ApproverMutant[] = [...commandMutants, ...changeMutants, ...toolMutants];

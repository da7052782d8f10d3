import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommandPlan, SimpleCommand } from '../ports/workspace/command-plan.ts';
import { formatPlan } from './format-plan.ts';
import { formatWord } from './format-word.ts';
import { planOf } from './testing/plan-of.ts';

describe('a command line, as the user sees it', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['--level=3', '--level=3'],
    ['PATH=x', "'PATH=x'"],
    ['a b', "'a b'"],
    ['$HOME', "'$HOME'"],
    ['*', "'*'"],
    ['&&', "'&&'"],
    ['\\u{1b}', "'\\u{1b}'"],
    ["it's", '"it\'s"'],
    ['', '""'],
    ['a\nb', '"a\\nb"'],
    ['\u001b[2J', '"\\u001b[2J"'],
    ['safe\u202egpj.exe', '"safe\\u202egpj.exe"'],
  ])('has the word %j as %s', (word, shown) => {
    expect(formatWord(word)).toBe(shown);
  });

  it('shows a program whose name only looks like another one', () => {
    expect(formatPlan(planOf(['n\u0440m', 'install']))).toEqual(['"n\\u0440m" install']);
  });

  it('shows variables, patterns, redirections and how the parts follow each other', () => {
    const plan: CommandPlan = {
      directory: null,
      pipelines: [
        {
          when: 'always',
          commands: [
            {
              assignments: [{ name: 'CI', value: 'a b' }],
              words: [
                { type: 'literal', text: 'x' },
                {
                  type: 'pattern',
                  source: 'a\\ b/*.ts',
                  pieces: [{ type: 'literal', text: 'a b/' }, { type: 'any' }, { type: 'literal', text: '.ts' }],
                },
                { type: 'literal', text: '*' },
              ],
              redirections: [{ type: 'errors-to-output' }],
            },
            commandOf(['tee'], [{ type: 'to-file', streams: 'both', path: 'out put', appends: true }]),
          ],
        },
        { when: 'after-success', commands: [commandOf(['y'], [{ type: 'from-file', path: 'in' }])] },
        { when: 'after-failure', commands: [commandOf(['z'], [{ type: 'discard', streams: 'errors' }])] },
        { when: 'always', commands: [commandOf(['w'], [{ type: 'output-to-errors' }, { type: 'from-nothing' }])] },
      ],
    };
    expect(formatPlan(plan)).toEqual([
      "CI='a b' x 'a b/'*.ts '*' 2>&1 | tee &>> 'out put'",
      '&& y < in',
      '|| z 2> /dev/null',
      '; w >&2 < /dev/null',
    ]);
  });

  it('is another one for other words', () => {
    const words = fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(words, words, (one, other) => {
        const [first, second] = [one, other].map((each) => formatPlan(planOf(each)).join('\n'));
        expect(first === second).toBe(JSON.stringify(one) === JSON.stringify(other));
        expect(first).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b]/u);
      }),
      { numRuns: 500 },
    );
  });
});

function commandOf(words: readonly [string, ...string[]], redirections: SimpleCommand['redirections']): SimpleCommand {
  const [program] = words;
  return { assignments: [], words: [{ type: 'literal', text: program }], redirections };
}

import type { CommandPlan } from '../../ports/workspace/command-plan.ts';

/** The plan of one program with its arguments. */
export function planOf([program = '', ...others]: readonly string[], directory: string | null = null): CommandPlan {
  const words = others.map((text) => ({ type: 'literal', text }) as const);
  return {
    directory,
    pipelines: [
      {
        when: 'always',
        commands: [{ assignments: [], words: [{ type: 'literal', text: program }, ...words], redirections: [] }],
      },
    ],
  };
}

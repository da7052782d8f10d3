import { createRandom } from '../random.ts';

/** Whole numbers from 0 to below `below`, the same for the same seed. */
export type PickNumber = (below: number) => number;

export function createPickNumber(seed: number): PickNumber {
  const random = createRandom(seed);
  return (below) => Math.floor(random() * below);
}

/** Tokens with a meaning in Bash, and tokens that resemble them; `rec` and `nok` are programs that succeed and fail. */
const tokens: readonly string[] = [
  ...String.raw`rec ¦rec ¦rec ¦rec¦nok ¦nok¦ ¦ ¦ ¦&&¦||¦ && ¦ || ¦;¦; ¦|¦&¦|&¦a b¦"¦"¦'¦'¦"a b"¦'a b'¦\¦\"¦\'`.split(
    '¦',
  ),
  ...'$¦}¦{¦$(¦)¦(¦((¦))¦[[¦]]¦[¦]¦*¦?¦!¦#¦ #¦~¦=¦A=¦B=1 ¦A=x ¦>¦<¦>>¦ > f ¦ < f ¦2>&1¦ 2>f¦>&2¦&>f'.split('¦'),
  ...String.raw`<<<¦>(¦<(¦$"¦$'¦@(¦+(¦{a,b}¦cd ¦cd f && ¦%¦^¦,¦.¦/¦-¦--¦-n¦:¦\\¦x=y¦$A¦"$A"¦~/x¦é¦漢`.split('¦'),
  ...'a b if then fi do done for in while case esac function time coproc'.split(' '),
  ...['\n', '\t', '\\\n', '${', '`', '<<E\n', '\nE\n', '\u00a0', '\u2028', '\r'],
];

/** A command line that may make no sense at all. */
export function randomCommand(pick: PickNumber): string {
  const count = 1 + pick(12);
  // Most lines begin with a program: others are refused at once.
  const first = pick(4) === 0 ? '' : 'rec ';
  return first + Array.from({ length: count }, () => tokens[pick(tokens.length)] ?? '').join('');
}

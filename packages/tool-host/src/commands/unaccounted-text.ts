import { forEachChild, type SyntaxNode } from 'unbash';

/** What is read of these is read from all of their text. */
const accounted: ReadonlySet<SyntaxNode['type']> = new Set(['Word', 'Assignment', 'Redirect']);

/**
 * What of a command line lies in no word, variable or redirection, without blanks and the operators that join commands: comments,
 * and whatever else a parser passes over. Empty where every character is accounted for.
 */
export function unaccountedText(source: string, root: SyntaxNode): string {
  const found: SyntaxNode[] = [];
  const visit = (node: SyntaxNode): void => {
    if (accounted.has(node.type)) {
      found.push(node);
    } else {
      forEachChild(node, visit);
    }
  };
  visit(root);
  let rest = '';
  let from = 0;
  for (const { pos, end } of found.toSorted((one, other) => one.pos - other.pos)) {
    rest += source.slice(from, pos);
    from = Math.max(from, end);
  }
  return (rest + source.slice(from)).replace(/[ \t\n;&|]/g, '');
}

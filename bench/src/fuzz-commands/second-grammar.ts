import { createRequire } from 'node:module';
import { Language, type Node, Parser } from 'web-tree-sitter';

/** What a command line of plain words, patterns, variables, redirections and operators is made of. */
const plainTypes: ReadonlySet<string> = new Set([
  ...'program list pipeline command command_name word string string_content raw_string number concatenation'.split(' '),
  ...'variable_assignment variable_name redirected_statement file_redirect file_descriptor'.split(' '),
]);

const operators: ReadonlySet<string> = new Set(['\n', '', ...'&& || ; | |& " = > >> < >| &> &>> >& [ ]'.split(' ')]);

/** Tells by the grammar of tree-sitter what of a command line is no plain part of one; null where it finds nothing. */
export async function createSecondGrammar(): Promise<(source: string) => string | null> {
  await Parser.init();
  const grammar = createRequire(import.meta.url).resolve('tree-sitter-bash/tree-sitter-bash.wasm');
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return (source) => {
    const tree = parser.parse(source);
    const found = tree === null ? 'nothing' : findStrange(tree.rootNode);
    tree?.delete();
    return found;
  };
}

function findStrange(node: Node): string | null {
  if (node.isError || node.isMissing || !(plainTypes.has(node.type) || operators.has(node.type))) {
    return node.isError ? 'an error' : node.type;
  }
  for (const child of node.children) {
    const found = child === null ? null : findStrange(child);
    if (found !== null) {
      return found;
    }
  }
  return null;
}

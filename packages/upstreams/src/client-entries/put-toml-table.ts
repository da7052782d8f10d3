/**
 * Replaces a table and its subtables by a text, or removes them (null); adds the text at the end if the table is missing. Judges by lines, so a
 * multi-line string that looks like a header misleads it: read the result again.
 */
export function putTomlTable(text: string, path: readonly string[], table: string | null): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const written = table?.replaceAll('\n', lineEnd) ?? '';
  const isOurs = headerTest(path);
  let isPut = false;
  const kept = blocksOf(text).flatMap((block) => {
    if (!isOurs(block[0] ?? '')) {
      return block;
    }
    const put = isPut ? [] : [written];
    isPut = true;
    // Blank lines and comments may belong to the table that follows.
    return [...put, ...block.slice(block.findLastIndex((line) => !/^\s*(?:#|$)/.test(line)) + 1)];
  });
  return isPut || table === null ? kept.join('') : appended(text, written, lineEnd);
}

function appended(text: string, table: string, lineEnd: string): string {
  if (text.trim() === '') {
    return table;
  }
  return `${text}${text.endsWith('\n') ? '' : lineEnd}${lineEnd}${table}`;
}

/** The lines of each table with its header first, after those before the first header. Lines keep their ends. */
function blocksOf(text: string): readonly (readonly string[])[] {
  const blocks: string[][] = [[]];
  for (const line of text.split(/(?<=\n)/)) {
    if (/^\s*\[/.test(line)) {
      blocks.push([]);
    }
    blocks.at(-1)?.push(line);
  }
  return blocks;
}

function headerTest(path: readonly string[]): (line: string) => boolean {
  const names = path.map((name) => `(?:${name}|"${name}"|'${name}')`).join('\\s*\\.\\s*');
  const header = new RegExp(`^\\s*\\[\\s*${names}\\s*[.\\]]`);
  return (line) => header.test(line);
}

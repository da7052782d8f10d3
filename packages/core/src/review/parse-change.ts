import type { ChangeSelection } from '../ports/change-reader.ts';

export type ParsedChange =
  | { readonly ok: true; readonly selection: ChangeSelection }
  | { readonly ok: false /** A predicate for a user. */; readonly problem: string };

/** No character that ends a revision for Git, names a file in it, or makes it an option. */
const revision = /^(?!-)[^\s:?*[\\\p{Cc}]{1,250}$/u;

/** Reads the words of a caller: `working`, `staged`, `branch`, a commit, a range `a..b` or `a...b`, or a patch. */
export function parseChange(text: string): ParsedChange {
  if (text === 'working' || text === 'staged' || text === 'branch') {
    return { ok: true, selection: { type: text } };
  }
  if (/[\r\n]/.test(text.trim())) {
    return { ok: true, selection: { type: 'patch', text: text.replaceAll('\r\n', '\n') } };
  }
  const [, from = '', dots = '', to = ''] = /^(.*?)(\.{2,3})(.*)$/.exec(text) ?? [];
  const named = dots === '' ? [text] : [from || 'HEAD', to || 'HEAD'];
  if (!named.every((one) => revision.test(one) && !one.includes('..') && !one.startsWith('.'))) {
    const forms = 'working, staged, branch, a commit, a range such as main...HEAD, or the text of a patch';
    return { ok: false, problem: `must be ${forms}` };
  }
  const [first = '', second = ''] = named;
  return {
    ok: true,
    selection:
      dots === ''
        ? { type: 'commit', revision: first }
        : { type: 'range', from: first, to: second, fromMergeBase: dots === '...' },
  };
}

import { join, sep } from 'node:path';
import { chooseDescriptorProof, closeDescriptor, openVerified } from '../../disk/open-verified.ts';
import { readWhole, ScratchBuffer } from '../../disk/read-whole.ts';
import type { RealRoots } from '../../disk/real-roots.ts';
import { type DecodedText, decodeText } from '../../disk/text-decoding.ts';
import { type Git, textOf } from './git.ts';

/** A file's text, or why it could not be read. */
export type FileText =
  | DecodedText
  | { readonly ok: false; readonly reason: 'too-large' | 'unreadable' | 'outside-roots' };

/** Reading is synchronous: one buffer serves all files. */
const scratch = new ScratchBuffer();

/** Reads texts of files from the working tree, through no link, inside the roots. */
export function readFromDisk(
  top: string,
  path: string,
  { roots, maxBytes }: { readonly roots: RealRoots; readonly maxBytes: number },
): FileText {
  const opened = openVerified({
    path: join(top, path.replaceAll('/', sep)),
    kind: 'file',
    roots,
    proof: chooseDescriptorProof(),
    followsLink: false,
  });
  if (!opened.ok) {
    return { ok: false, reason: opened.reason === 'outside-roots' ? 'outside-roots' : 'unreadable' };
  }
  try {
    if (opened.stats.size > maxBytes) {
      return { ok: false, reason: 'too-large' };
    }
    const read = readWhole(opened.descriptor, opened.stats.size, scratch);
    return read.ok ? decodeText(read.bytes) : { ok: false, reason: 'unreadable' };
  } finally {
    closeDescriptor(opened.descriptor);
  }
}

/** Reads the contents with these ids, in one start of Git. Ids without an entry could not be read. */
export async function readBlobs(
  git: Git,
  ids: readonly string[],
  { maxBytes }: { readonly maxBytes: number },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FileText>> {
  const texts = new Map<string, FileText>();
  const unique = [...new Set(ids)];
  if (unique.length === 0) {
    return texts;
  }
  const sizes = await git.run({ arguments: ['cat-file', '--batch-check'], input: `${unique.join('\n')}\n` }, signal);
  const wanted = (sizes.ok ? sizes.output.split('\n') : []).flatMap((line) => {
    const [id = '', type = '', size = '0'] = line.split(' ');
    if (type === 'blob' && Number(size) > maxBytes) {
      texts.set(id, { ok: false, reason: 'too-large' });
    }
    return type === 'blob' && Number(size) <= maxBytes ? [id] : [];
  });
  const read = await git.run(
    { arguments: ['cat-file', '--batch'], input: `${wanted.join('\n')}\n`, maxBytes: maxReadBytes },
    signal,
  );
  readBatch(read.ok ? read.output : '', texts);
  return texts;
}

/** Of all files of one change together. */
const maxReadBytes = 67_108_864;

/** Output of `cat-file --batch`: a line with id, type and size, the content, and a line end. */
function readBatch(output: string, texts: Map<string, FileText>): void {
  for (let place = 0; place < output.length; ) {
    const end = output.indexOf('\n', place);
    const [id = '', type = '', size = ''] = output.slice(place, end === -1 ? undefined : end).split(' ');
    const start = end + 1;
    const after = start + Number(size);
    if (end === -1 || type !== 'blob' || after > output.length) {
      return;
    }
    texts.set(id, decodeText(Buffer.from(output.slice(start, after), 'latin1')));
    place = after + 1;
  }
}

/** Paths with the ids of their contents, after a change in a commit or in the index. Links and submodules are missing. */
export async function listTree(
  git: Git,
  side: string | 'index' | 'working tree',
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const isTree = side !== 'index' && side !== 'working tree';
  const words = isTree ? ['ls-tree', '-r', '-z', side] : ['ls-files', '--stage', '-z'];
  const end = await git.run({ arguments: words }, signal);
  const lines = end.ok ? end.output.split('\0') : [];
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [, id, path] = (isTree ? treeLine : stageLine).exec(line) ?? [];
      return id === undefined || path === undefined ? [] : [[textOf(path), id]];
    }),
  );
}

const treeLine = /^100\d{3} blob ([0-9a-f]{40,64})\t(.+)$/s;
const stageLine = /^100\d{3} ([0-9a-f]{40,64}) 0\t(.+)$/s;

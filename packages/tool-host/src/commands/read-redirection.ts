import type { OutputStreams, Redirection } from '@gemini-mcp/core';
import type { Redirect, Redirection as RedirectionNode } from 'unbash';
import { readLiteral } from './read-word.ts';
import { type Read, refuse } from './refuse.ts';

const nothing = '/dev/null';

const noDescriptors = [
  'redirections other than <, >, >> of output and errors are not supported',
  'Use > file, >> file, < file, 2> file or 2>&1.',
] as const;

/** Reads where output and errors go, and where input comes from: a file, nothing, or each other. */
export function readRedirection(node: RedirectionNode): Read<Redirection> {
  if (node.type !== 'Redirect') {
    return refuse('text in the command (<< and <<<) is not supported', 'Write it into a file with put_file first.');
  }
  if (node.target === undefined || node.descriptor?.type === 'FileDescriptorVariable') {
    return refuse(...noDescriptors);
  }
  const target = readLiteral(node.target, 'the file of a redirection');
  return target.ok ? toRedirection(node, target.value) : target;
}

function toRedirection({ operator, descriptor }: Redirect, target: string): Read<Redirection> {
  const number = descriptor?.type === 'FileDescriptor' ? descriptor.value : null;
  switch (operator) {
    case '<':
      return number === null || number === 0 ? found(fromFile(target)) : refuse(...noDescriptors);
    case '>':
    case '>|':
    case '>>':
      return toFile(streamsOf(number), target, operator === '>>');
    case '&>':
    case '&>>':
      return toFile('both', target, operator === '&>>');
    case '>&':
      return duplicate(number, target);
    case '<&':
    case '<>':
      return refuse(...noDescriptors);
  }
}

function streamsOf(number: number | null): OutputStreams | null {
  if (number === 2) {
    return 'errors';
  }
  return number === null || number === 1 ? 'output' : null;
}

function fromFile(path: string): Redirection {
  return path === nothing ? { type: 'from-nothing' } : { type: 'from-file', path };
}

function toFile(streams: OutputStreams | null, path: string, appends: boolean): Read<Redirection> {
  if (streams === null || path === '') {
    return refuse(...noDescriptors);
  }
  return found(path === nothing ? { type: 'discard', streams } : { type: 'to-file', streams, path, appends });
}

/** `2>&1`, `1>&2`, `>&2`. What else a shell makes of `>&`, such as `>& file`, is refused. */
function duplicate(number: number | null, target: string): Read<Redirection> {
  if (number === 2 && target === '1') {
    return found({ type: 'errors-to-output' });
  }
  return (number === null || number === 1) && target === '2'
    ? found({ type: 'output-to-errors' })
    : refuse(...noDescriptors);
}

function found(redirection: Redirection): Read<Redirection> {
  return { ok: true, value: redirection };
}

// The end of the log of a test run: what failed, and the line that counts.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { rootDirectory } from './run-step.mjs';

const maxListed = 20;
const maxErrorLines = 6;
const maxLineLength = 240;

/**
 * Lists the tests that passed only when they ran again, then the failed gates and tests, each with lines of its first error.
 * The last line is `N passed, N failed`, in which a gate counts as one.
 */
export function describeOutcome({ passedGates = [], failedGates = [], tests }) {
  const failed = [...failedGates.map(describeGate), ...tests.failures.map(describeFailure)];
  return [
    ...section('Failed at first and passed alone, so they count as passed:', tests.flaky.map(describeFailure)),
    ...section('Failed:', failed),
    `${passedGates.length + tests.passed} passed, ${failed.length} failed`,
  ].join('\n');
}

function section(heading, entries) {
  if (entries.length === 0) {
    return [];
  }
  const more = entries.length > maxListed ? [`  and ${entries.length - maxListed} more`] : [];
  return [heading, ...entries.slice(0, maxListed).map((entry) => `  - ${entry}`), ...more, ''];
}

/** A program says last why it failed. */
function describeGate({ name, output }) {
  return [`gate: ${name}`, ...indent(linesOf(output).slice(-maxErrorLines))].join('\n');
}

function describeFailure({ stage, file, title, message, place }) {
  const on = stage === null ? '' : `on ${stage}: `;
  const where = file === null ? 'outside of any test' : relative(rootDirectory, file);
  const what = title === null ? '' : ` > ${title}`;
  const lines = linesOf(message);
  const cut = lines.length > maxErrorLines ? ['…'] : [];
  const at = place === null ? [] : [`at ${relative(rootDirectory, place)}`];
  return [`${on}${shown(where)}${shown(what)}`, ...indent([...lines.slice(0, maxErrorLines), ...cut, ...at])].join(
    '\n',
  );
}

function linesOf(text) {
  return stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
}

function indent(lines) {
  return lines.map((line) => `      ${shown(line)}`);
}

/** Titles and errors of hostile inputs hold characters that would change what a terminal shows. */
function shown(text) {
  const line = text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text;
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, (character) => JSON.stringify(character).slice(1, -1));
}

// The end of the log of a test run: what failed, and the line that counts.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { rootDirectory } from './run-step.mjs';

const maxListed = 20;
const maxSlowest = 30;
const maxErrorLines = 6;
const maxLineLength = 240;

/** Prints `describeOutcome` of the gates and runs of tests; returns the exit code. */
export function reportOutcome(parts) {
  console.log(`\n${describeOutcome(parts)}`);
  const { gates, runs } = parts;
  return gates.some(({ passed }) => !passed) || runs.some((run) => failuresOf(run).length > 0) ? 1 : 0;
}

/**
 * Lists the durations of each gate, each run of tests and the slowest files, then the failed gates and tests with lines of
 * their first errors. The last line is `N passed, N failed`; a gate counts as one.
 */
export function describeOutcome({ gates = [], runs }) {
  const failedGates = gates.filter(({ passed }) => !passed);
  const failed = [...failedGates.map(describeGate), ...runs.flatMap(failuresOf).map(describeFailure)];
  const passedTests = runs.flatMap(({ files }) => files).reduce((sum, { passed }) => sum + passed, 0);
  return [
    ...describeTimes(gates, runs),
    ...section('Failed:', failed),
    `${gates.length - failedGates.length + passedTests} passed, ${failed.length} failed`,
  ].join('\n');
}

function failuresOf({ stage, files, faults }) {
  const failures = files.flatMap((one) => one.failures.map((failure) => ({ ...failure, stage, file: one.file })));
  return [...faults.map((fault) => ({ ...fault, stage, file: null, title: null })), ...failures];
}

/** Gates after the build run side by side, so their times do not add up. */
function describeTimes(gates, runs) {
  const tests = runs.map(({ stage, seconds }) => ({ name: stage === null ? 'tests' : `tests (${stage})`, seconds }));
  const slowest = runs
    .flatMap(({ files }) => files)
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, maxSlowest)
    .map(({ file, seconds }) => ({ name: `  ${relative(rootDirectory, file)}`, seconds }));
  return [
    'Times:',
    ...[...gates, ...tests, ...slowest].map((one) => `  ${formatSeconds(one.seconds)} ${one.name}`),
    '',
  ];
}

/** `8:05` for 485 seconds. */
function formatSeconds(seconds) {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
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

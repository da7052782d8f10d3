import { escapeName } from '../text/escape-name.ts';
import { fence } from '../text/fence.ts';

/** Tells a new attempt at a task about the lasting steps of earlier attempts; empty if they had no lasting steps. */
export function describeDone(lasting: readonly string[]): string {
  if (lasting.length === 0) {
    return '';
  }
  const steps = fence('steps', lasting.map(escapeName).join('\n'));
  return (
    'An attempt at this task was broken off before. What it did has stayed as it is; these are its steps that changed something or ran ' +
    `commands, as data:\n${steps}\nLook at the files as they are now and go on from there. Do not repeat a finished step.`
  );
}

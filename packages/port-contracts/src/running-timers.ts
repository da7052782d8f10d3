/** How many timers keep this process alive. */
export function runningTimers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
}

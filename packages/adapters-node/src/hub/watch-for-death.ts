import { runMarkerName } from '../process/marked-processes.ts';
import { startProgram } from '../process/start-program.ts';
import { findSystemProgram, systemDirectories } from '../programs/find-system-program.ts';

/**
 * Waits for its input to end, which the system does for a process that is killed, and then kills every process with the marker, until
 * two looks in a row find none: one that is just starting another shows no environment for a moment. It looks again for a second: one that
 * was being started at that moment may get the processor only later, and is then tied to no one.
 */
const script = `
trap '' HUP INT TERM
end_marked() {
  clean=0 rounds=0
  while [ "$clean" -lt 2 ] && [ "$rounds" -lt 40 ]; do
    rounds=$((rounds + 1)) clean=$((clean + 1))
    for found in $(grep -ls "$1" /proc/[0-9]*/environ); do
      pid=\${found#/proc/}
      kill -KILL "\${pid%/environ}" && clean=0
    done
  done 2>/dev/null
}
while read -r line; do :; done
end_marked "$1"
for pause in 0.1 0.3 0.6; do
  sleep "$pause"
  end_marked "$1"
done 2>/dev/null
`;

/**
 * Starts a small process that outlives this one by a moment, and ends every process whose run id begins with `prefix` when this one has
 * ended, also by SIGKILL: the kernel ends only the direct children then, and launchers such as npx have children of their own. The
 * process is in no one's way: it waits in a read, and keeps no program alive. Resolves to false where there is no /proc to look into, or no
 * process can be started.
 */
export async function watchForDeath(prefix: string): Promise<boolean> {
  const shell = process.platform === 'linux' ? await findSystemProgram('sh') : null;
  if (shell === null) {
    return false;
  }
  const start = startProgram(shell, ['-c', script, 'sh', `${runMarkerName}=${prefix}`], {
    cwd: '/',
    env: { PATH: systemDirectories.join(':') },
    detached: true,
  });
  if (!start.started) {
    return false;
  }
  const { child } = start;
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
  return true;
}

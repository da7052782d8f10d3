import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { HeldStill } from '../project-walls.ts';

/** Requests a SIGCONT from the kernel in a second, reports it, and continues. */
const setsTimer = `
  my ($create, $set) = $ARGV[0] eq "x64" ? (222, 223) : (107, 110);
  my ($signal, $id, $when) = (pack("q l l x48", 0, 18, 0), pack("l", 0), pack("q4", 0, 0, 1, 0));
  die if syscall($create, 1, $signal, $id) == -1 or syscall($set, unpack("l", $id), 0, $when, 0) == -1;
  $| = 1; print "set\n"; sleep 60`;

it.runIf(process.platform === 'linux' && existsSync('/usr/bin/perl'))(
  'HOST-H1: pauses no process that the kernel will resume',
  async () => {
    const child = spawn('sh', ['-c', 'perl -e "$0" "$1" & wait', setsTimer, process.arch], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    const still = new HeldStill();
    try {
      await once(child.stdout, 'data');
      await expect(still.hold(new Set([child.pid ?? 0]))).rejects.toThrow('cannot be paused');
    } finally {
      still.release();
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    }
  },
);

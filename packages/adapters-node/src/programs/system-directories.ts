/** Where a system keeps its own programs, first the usual places, then the one of NixOS. Empty on Windows. */
export const systemDirectories: readonly string[] =
  process.platform === 'win32' ? [] : ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];

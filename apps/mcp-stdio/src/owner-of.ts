/**
 * Whose the calls of this process are. One client speaks to it, but what it keeps on the disk is shared with the servers of
 * other clients and other projects: the client's name and the working directory tell them apart, and are the same after a
 * restart. This keeps honest clients out of each other's way; against a program of the same user nothing could.
 */
export function ownerOf(clientName: string | null, workingDirectory: string): string {
  // Not imported: loading it takes 4 ms, for which a client's handshake would wait without need.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256')
    .update(JSON.stringify(['stdio', clientName, workingDirectory]))
    .digest('hex');
}

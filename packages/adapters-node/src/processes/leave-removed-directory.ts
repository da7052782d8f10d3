/**
 * Changes to the root of the file system, which is no project, if the current directory was removed: Node resolves no path there. Returns a sentence
 * for the user then, otherwise null. Only a program may call it, because the directory belongs to the whole process.
 */
export function leaveRemovedDirectory(): string | null {
  try {
    process.cwd();
    return null;
  } catch {
    process.chdir('/');
    return 'The current directory has been removed, so this program goes on in /, without a project.';
  }
}

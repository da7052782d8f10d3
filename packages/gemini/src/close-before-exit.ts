type Closable = { close(): Promise<void> };

const open = new Set<Closable>();

/**
 * Closes it when the program has nothing more to do, so that nothing of it is left: neither a process nor a directory.
 * Returns what forgets it.
 */
export function closeBeforeExit(closable: Closable): () => void {
  if (open.size === 0) {
    process.on('beforeExit', closeAll);
  }
  open.add(closable);
  return () => {
    open.delete(closable);
    if (open.size === 0) {
      process.off('beforeExit', closeAll);
    }
  };
}

function closeAll(): void {
  for (const closable of open) {
    // It forgets itself, and nothing is left that could reject.
    void closable.close();
  }
}

const deviceName =
  /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;

/**
 * Whether Windows would resolve a path to something other than the file of that name: a device (`CON`, `nul.txt`), a stream (`x:stream`), a
 * host or the device namespace (`\\host\x`, `\\?\C:\x`), or a name whose trailing dots and spaces it drops.
 */
export function isWindowsTrap(path: string): boolean {
  if (/^[\\/]{2}/.test(path)) {
    return true;
  }
  const names = path.replace(/^[a-z]:(?=[\\/])/i, '').split(/[\\/]/);
  return names.some(
    (name) => name !== '.' && name !== '..' && (name.includes(':') || /[. ]$/.test(name) || deviceName.test(name)),
  );
}

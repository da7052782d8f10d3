/** The address of a server as credentials know it: without what is no part of the place that is asked. */
export function loginAddress(url: string): string {
  const address = new URL(url);
  address.hash = '';
  return address.href;
}

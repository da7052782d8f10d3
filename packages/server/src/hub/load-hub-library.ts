/** What speaks with other servers is a file of its own in the bundle: no server loads it that has none to speak with. */
export async function loadHubLibrary(): Promise<typeof import('@gemini-mcp/hub')> {
  return await import('@gemini-mcp/hub');
}

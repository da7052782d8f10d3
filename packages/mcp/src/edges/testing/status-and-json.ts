export async function statusAndJson(response: Response): Promise<readonly [number, unknown]> {
  return [response.status, await response.json()];
}

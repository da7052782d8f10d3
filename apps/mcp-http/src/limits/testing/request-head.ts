/** A request head, whose JSON body follows. */
export function requestHead(headers: string, path = '/api/x', principal = 'a'): string {
  return `POST ${path} HTTP/1.1\r\nHost: a\r\nX-Principal: ${principal}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`;
}

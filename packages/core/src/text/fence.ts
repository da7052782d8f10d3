/** Untrusted text between two tags whose name it does not contain, so that nothing in it can close the fence. The text itself stays unchanged. */
export function fence(name: string, text: string): string {
  let number = 1;
  while (text.includes(`${name}-${number}`)) {
    number += 1;
  }
  const tag = `${name}-${number}`;
  return `<${tag}>\n${text}\n</${tag}>`;
}
